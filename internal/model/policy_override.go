package model

// OverrideSpec is the spec of an OverridePolicy or a ClusterOverridePolicy.
type OverrideSpec struct {
	// ResourceSelectors selects objects; empty selects everything.
	ResourceSelectors []ResourceSelector
	OverrideRules     []OverrideRule
	// TargetCluster and Overriders are the deprecated form, which Karmada reads only when OverrideRules is empty; both
	// are nil when it is not.
	TargetCluster *ClusterAffinity
	Overriders    *Overriders
}

// OverrideRule says what is changed in some clusters.
type OverrideRule struct {
	// TargetCluster is nil for all clusters.
	TargetCluster *ClusterAffinity
	Overriders    Overriders
}

// Overriders are changes of an object, in the order in which Karmada applies them.
type Overriders struct {
	ImageOverrider       []ImageOverrider
	CommandOverrider     []CommandArgsOverrider
	ArgsOverrider        []CommandArgsOverrider
	LabelsOverrider      []LabelAnnotationOverrider
	AnnotationsOverrider []LabelAnnotationOverrider
	FieldOverrider       []FieldOverrider
	Plaintext            []PlaintextOverrider
}

// OverriderOperator says what a change does.
type OverriderOperator string

// The operators of overriders.
const (
	OverriderAdd     OverriderOperator = "ADD"
	OverriderRemove  OverriderOperator = "REMOVE"
	OverriderReplace OverriderOperator = "REPLACE"
)

// ImageComponent is a part of an image.
type ImageComponent string

// The parts of an image.
const (
	ImageRegistry   ImageComponent = "REGISTRY"
	ImageRepository ImageComponent = "REPOSITORY"
	ImageTag        ImageComponent = "TAG"
)

// ImageOverrider is a change of images.
type ImageOverrider struct {
	// Predicate is nil for all images of the pod template.
	Predicate *ImagePredicate
	Component ImageComponent
	Operator  OverriderOperator
	Value     *string
}

// ImagePredicate says where in the object an image is.
type ImagePredicate struct {
	// Path is a JSON pointer.
	Path string
}

// CommandArgsOverrider is a change of a container's command or arguments.
type CommandArgsOverrider struct {
	ContainerName string
	Operator      OverriderOperator
	Value         []string
}

// LabelAnnotationOverrider is a change of labels or annotations.
type LabelAnnotationOverrider struct {
	Operator OverriderOperator
	Value    []KeyValue
}

// PlaintextOverrider is a change of one field by its path.
type PlaintextOverrider struct {
	// Path is a JSON pointer.
	Path     string
	Operator OverriderOperator
	// Value is JSON text; nil for none.
	Value *string
}

// FieldOverrider is changes within a field that holds a document as a string.
type FieldOverrider struct {
	// FieldPath is a JSON pointer.
	FieldPath string
	JSON      []FieldPatch
	YAML      []FieldPatch
}

// FieldPatch is a change within the document that a field holds.
type FieldPatch struct {
	// SubPath is a JSON pointer within the document.
	SubPath  string
	Operator OverriderOperator
	// Value is JSON text; nil for none.
	Value *string
}
