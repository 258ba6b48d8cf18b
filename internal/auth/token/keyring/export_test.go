package keyring

// What tests of the ring's times have to know.
const (
	FreshFor = freshFor
	Pause    = pause
	Slack    = slack
)
