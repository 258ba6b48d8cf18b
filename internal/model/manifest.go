package model

// ManifestFormat is how a manifest is written.
type ManifestFormat string

// The formats of a manifest.
const (
	ManifestYAML ManifestFormat = "YAML"
	ManifestJSON ManifestFormat = "JSON"
)

// OnError says how to continue after a document failed.
type OnError string

// The ways to continue after a document failed.
const (
	OnErrorStop     OnError = "STOP"
	OnErrorContinue OnError = "CONTINUE"
)

// ApplyOutcome is the outcome of an applied document.
type ApplyOutcome string

// The outcomes of a document.
const (
	OutcomeCreated    ApplyOutcome = "CREATED"
	OutcomeConfigured ApplyOutcome = "CONFIGURED"
	OutcomeUnchanged  ApplyOutcome = "UNCHANGED"
	OutcomeFailed     ApplyOutcome = "FAILED"
	OutcomeSkipped    ApplyOutcome = "SKIPPED"
)

// DocumentOutcome is the outcome of one document.
type DocumentOutcome struct {
	// Index is its place in the input, from 0.
	Index int
	// APIVersion, Kind, Namespace and Name are nil where the document could not be read that far; Namespace also for
	// cluster-scoped objects.
	APIVersion *string
	Kind       *string
	Namespace  *string
	Name       *string
	Outcome    ApplyOutcome
	// Error is nil unless Outcome is FAILED.
	Error *UserError
}
