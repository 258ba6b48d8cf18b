package model

// PlacedObjects is what Karmada placed in a member cluster.
type PlacedObjects struct {
	// Total counts what policies placed, Others everything else that Karmada keeps there.
	Total  int32
	Others int32
	// More says that there are more than were counted.
	More bool
	// Kinds are the most frequent first, and Objects the first of them; never nil.
	Kinds   []PlacedKind
	Objects []PlacedObject
}

// PlacedKind is how many objects of a kind are placed somewhere.
type PlacedKind struct {
	Kind  string
	Count int32
}

// PlacedObject is an object that a policy placed. Kind and Name are in lower case.
type PlacedObject struct {
	Kind      string
	Namespace *string
	Name      string
}

// PromotedObject is an object of a member that becomes part of the federation.
type PromotedObject struct {
	APIVersion string
	Kind       string
	Namespace  *string
	Name       string
	PolicyName string
	// Changes are from the object in the member to its template, with values of Secrets masked.
	Changes []FieldChange
}

// LeftObject is one that a promoted object needs, and that is not promoted.
type LeftObject struct {
	APIVersion string
	Kind       string
	Namespace  *string
	// Name is empty for a kind as a whole.
	Name   string
	Reason string
	// Federated says that the instance has one of that name.
	Federated bool
}
