package gate

// Limits bound what one person may spend and have open. A negative rate is no limit.
type Limits struct {
	// Rate is the points a second that one person may spend, and RateBurst how many at once after a quiet period.
	Rate, RateBurst int
	// EventRate is the points a second, out of Rate, that the events of one person's subscriptions may cost together,
	// EventBurst how many at once, and EventsAtOnce how many events of one person are made at once.
	EventRate, EventBurst, EventsAtOnce int
	// Authentication is how many requests a second of one remote address may fail to authenticate; ten times as many at
	// once.
	Authentication int
	// SubscriptionsPerUser and SocketsPerUser are how many of each one person may have open.
	SubscriptionsPerUser, SocketsPerUser int
	// HalfOpenSockets is the sockets whose clients have not yet authenticated, HalfOpenSocketsPerAddress those of one
	// remote address.
	HalfOpenSockets, HalfOpenSocketsPerAddress int
}
