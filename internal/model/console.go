package model

// Console says whether an instance can be worked on in a terminal of the browser.
type Console struct {
	Available bool
	// Reason is why not; nil when it can.
	Reason *string
}
