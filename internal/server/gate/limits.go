package gate

// Limits bound what anybody may spend and have open. Negative rates are no limits.
type Limits struct {
	// Rate is the points a second that one person may spend, and RateBurst how many at once after a while of quiet.
	Rate, RateBurst int
	// EventRate is the points a second, out of Rate, that the events of one person's subscriptions may cost together,
	// EventBurst how many at once, and EventsAtOnce how many events of one person are in work at once.
	EventRate, EventBurst, EventsAtOnce int
	// Authentication is how many requests a second of one remote address may fail to say who they are; ten times as
	// many at once.
	Authentication int
	// SubscriptionsPerUser and SocketsPerUser are what one person may have open.
	SubscriptionsPerUser, SocketsPerUser int
	// HalfOpenSockets is the sockets whose clients have not yet said who they are, HalfOpenSocketsPerAddress those of
	// one remote address.
	HalfOpenSockets, HalfOpenSocketsPerAddress int
}
