package status

import (
	"time"

	"github.com/kairship-io/kairship/controllers/status/health"
)

// Pace is how often an instance is looked at, how long an answer may take, and how long a recovery has to last. With
// the usual one every failure is reported, and cleared, within 30 s:
//
//	appears: Calm + 10 % (11 s) until the next look, Deadline (5 s) when it hangs, Alert (3 s), Deadline
//	again: 24 s; what refuses at once 14 s. A Lease: 2 s since its last renewal, its duration (15 s),
//	2 s of grace, Alert: 22 s.
//	clears: Deadline (5 s) of a look that hangs, Alert (3 s), Steady (15 s) for the API server: 23 s;
//	Brief (3 s) for anything else: 11 s, but for what fell twice within two minutes.
//
// An API server that restarts five times in a minute is up for less than Steady each time: it is reported down once and
// up once.
type Pace struct {
	health.Cadence

	// Deadline of each request.
	Deadline time.Duration
	// Steady is how long the API server, and anything that failed shortly before, has to be well again before that is
	// reported; Brief is how long anything else has to be.
	Steady, Brief time.Duration
	// Rarely is how often what hardly ever changes is read: the version and the webhooks.
	Rarely time.Duration
	// Doubt is how long a member that answers is believed although Karmada reports that it is not ready. Karmada takes
	// half a minute and more to notice a change either way.
	Doubt time.Duration
}

// usual is the default pace.
var usual = Pace{
	Cadence:  health.Cadence{Calm: 10 * time.Second, Alert: 3 * time.Second},
	Deadline: 5 * time.Second,
	Steady:   15 * time.Second,
	Brief:    3 * time.Second,
	Rarely:   time.Minute,
	Doubt:    time.Minute,
}

// looks is how many looks in a row it takes to report something new.
const looks = 2

func (p Pace) apiServer() health.Rule {
	return health.Rule{Looks: looks, Recovery: p.Steady, Relapse: p.Steady}
}

func (p Pace) component() health.Rule {
	return health.Rule{Looks: looks, Recovery: p.Brief, Relapse: p.Steady}
}

// lease is for what is judged by its Lease: whoever takes one over has waited for its whole duration, so that it cannot
// flap.
func (p Pace) lease() health.Rule {
	return health.Rule{Looks: looks, Recovery: p.Brief, Relapse: p.Brief}
}

// atMost bounds the requests to one Karmada at the same time: members that hang delay each other only beyond it, and
// never another instance.
const atMost = 32
