package origin

// Fresh is a reader of the same fleet that knows nothing yet.
func (r *Reader) Fresh() *Reader { return New(r.fleet) }
