package process

// CheckWatches finds nothing wrong: macOS has no such limit.
func CheckWatches(int) error { return nil }
