package model

// Access is the instance about which a viewer asks what they may do.
type Access struct {
	Instance string
}
