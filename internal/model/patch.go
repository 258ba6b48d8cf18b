package model

// PatchType says how a patch is meant.
type PatchType string

// The types of a patch.
const (
	PatchMerge     PatchType = "MERGE"
	PatchStrategic PatchType = "STRATEGIC"
	PatchJSON      PatchType = "JSON"
	PatchApply     PatchType = "APPLY"
)

// Conflict says why a change of an object that was read earlier was refused: others changed it in between.
type Conflict struct {
	// Object is the object as it is now; nil when it could not be read.
	Object KubernetesObject
	// Theirs is what others changed since it was read, and Yours what the refused change would still change; nil when
	// that is not known.
	Theirs []FieldChange
	Yours  []FieldChange
	// Note says why a part of it is not known; nil when all is.
	Note *string
}

// InstanceConflict says why a change of an instance that was read earlier was refused: others changed it in between.
type InstanceConflict struct {
	// Theirs is what others changed of its labels and spec since it was read, and Yours what the refused change would still
	// change; nil when that is not known.
	Theirs []FieldChange
	Yours  []FieldChange
	// Note says why a part of it is not known; nil when all is.
	Note *string
}

// InstanceChangedError says that an instance is another version than the one that was read.
type InstanceChangedError struct {
	Conflict *Error
	// Was is what people said of it at that version, its labels and spec as JSON, nil when that is not known any more, and Is what they
	// say now.
	Was, Is []byte
	// Would is what it would be with the change; nil when that would be refused.
	Would []byte
}

func (e *InstanceChangedError) Error() string { return e.Conflict.Error() }

// Unwrap returns the CONFLICT.
func (e *InstanceChangedError) Unwrap() error { return e.Conflict }
