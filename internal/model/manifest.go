package model

// ManifestFormat is how a manifest is written.
type ManifestFormat string

// The formats of a manifest.
const (
	ManifestYAML ManifestFormat = "YAML"
	ManifestJSON ManifestFormat = "JSON"
)

// OnError says what to do after a document failed.
type OnError string

// What can be done after a document failed.
const (
	OnErrorStop     OnError = "STOP"
	OnErrorContinue OnError = "CONTINUE"
)

// ApplyOutcome is what became of an applied document.
type ApplyOutcome string

// The outcomes of a document.
const (
	OutcomeCreated    ApplyOutcome = "CREATED"
	OutcomeConfigured ApplyOutcome = "CONFIGURED"
	OutcomeUnchanged  ApplyOutcome = "UNCHANGED"
	OutcomeFailed     ApplyOutcome = "FAILED"
	OutcomeSkipped    ApplyOutcome = "SKIPPED"
)

// DocumentOutcome is what became of one document.
type DocumentOutcome struct {
	// Index is its place in the input, from 0.
	Index int
	// The four names are nil where the document could not be read that far; Namespace also for
	// cluster-scoped objects.
	APIVersion *string
	Kind       *string
	Namespace  *string
	Name       *string
	Outcome    ApplyOutcome
	// Error is nil unless Outcome is FAILED.
	Error *UserError
}
