package e2e

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kairship-io/kairship/bench/abuse"
)

// attacker is somebody else than the administrator who asks beside: the owner, who may do the most.
func attacker(t *testing.T) abuse.Target {
	t.Helper()
	return abuse.Target{Address: address, Token: idTokenOf(t, "owner")}
}

// metrics is the sum of each family's series.
func metrics(t *testing.T) map[string]float64 {
	t.Helper()
	return metricsOf(t, func(string) bool { return true })
}

// metricsOf is the sum of those of each family's series that are kept, by their names with all labels.
func metricsOf(t *testing.T, keep func(series string) bool) map[string]float64 {
	t.Helper()
	return metricsAt(t, address, keep)
}

// metricsAt is metricsOf of another server.
func metricsAt(t *testing.T, server string, keep func(series string) bool) map[string]float64 {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server+"/metrics", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("the metrics are answered with %s", resp.Status)
	}
	sums := map[string]float64{}
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		series, text, _ := strings.Cut(lines.Text(), " ")
		if !keep(series) {
			continue
		}
		if value, err := strconv.ParseFloat(text, 64); err == nil {
			family, _, _ := strings.Cut(series, "{")
			sums[family] += value
		}
	}
	return sums
}

// remains is what the server holds for its clients, each with how much more of it there may be after an attack:
// goroutines and files are of connections that are kept for the next request, too.
var remains = map[string]float64{
	"kairship_graphql_websockets":    0,
	"kairship_graphql_subscriptions": 0,
	"go_goroutines":                  60,
	"process_open_fds":               30,
}

// survived is deferred: it fails the test when the server was started anew, or goes on holding what it held for
// an attack.
func survived(t *testing.T) func() {
	t.Helper()
	before := metrics(t)
	return func() {
		t.Helper()
		eventually(t, time.Minute, func() error {
			after := metrics(t)
			for name, more := range remains {
				if after[name] > before[name]+more {
					return fmt.Errorf("%s was %v and is %v", name, before[name], after[name])
				}
			}
			return nil
		})
		if after := metrics(t); after["process_start_time_seconds"] != before["process_start_time_seconds"] {
			t.Error("the server has been started anew")
		}
	}
}

// answers asks what everybody asks; it has to be answered, whatever goes on.
func answers(t *testing.T) {
	t.Helper()
	into[struct{}](t, `{instance(name:"asia"){workloads(first:50){nodes{name state propagation{healthy{value}}}}}}`, nil)
}

func TestAbuseByRequestsIsRefusedByName(t *testing.T) {
	defer survived(t)()
	to := attacker(t)
	for _, attack := range abuse.Requests() {
		t.Run(attack.Name, func(t *testing.T) {
			got, err := attack.Send(t.Context(), http.DefaultClient, to)
			if err != nil {
				t.Fatal(err)
			}
			if got != attack.Want {
				t.Errorf("refused as %+v, want %+v", got, attack.Want)
			}
			answers(t)
		})
	}
}

// Ten thousand are tried in the suite of the server; here they come beside a fleet on the same machine.
func TestAbuseByFiveThousandHalfOpenSockets(t *testing.T) {
	const all, together = 5_000, 50
	defer survived(t)()
	to := attacker(t)
	refused := map[abuse.Refusal]int{}
	var open []net.Conn
	var failed []error
	var mu sync.Mutex
	var group sync.WaitGroup
	for worker := range together {
		group.Go(func() {
			for i := range all / together {
				// Every other one is a request whose head does not end. One address alone sends a tenth.
				from := abuse.Source(worker)
				if i%10 == 0 {
					from = abuse.Source(together)
				}
				var conn net.Conn
				var refusal abuse.Refusal
				var err error
				if i%4 < 2 {
					conn, refusal, err = abuse.Knock(t.Context(), to, from)
				} else {
					conn, err = abuse.HalfHead(t.Context(), to, from)
				}
				mu.Lock()
				switch {
				case err != nil:
					failed = append(failed, err)
				case conn == nil:
					refused[refusal]++
				default:
					open = append(open, conn)
				}
				mu.Unlock()
			}
		})
	}
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	for beside := true; beside; {
		select {
		case <-done:
			beside = false
		default:
		}
		answers(t)
	}
	defer func() {
		for _, conn := range open {
			_ = conn.Close()
		}
	}()
	t.Logf("%d are open, refused: %v", len(open), refused)
	if len(failed) > 0 {
		t.Errorf("%d failed: %v", len(failed), failed[0])
	}
	for _, name := range []string{"halfOpenSocketsPerAddress", "halfOpenSockets"} {
		if refused[abuse.Refusal{Status: http.StatusTooManyRequests, Code: "LIMIT_EXCEEDED", Name: name}] == 0 {
			t.Errorf("none was refused by %s", name)
		}
	}
	if len(refused) != 2 {
		t.Errorf("refused: %v", refused)
	}
	// Whoever goes on to say nothing is given up.
	for _, conn := range open {
		if _, err := io.Copy(io.Discard, conn); isTimeout(err) {
			t.Fatalf("%s is still open", conn.LocalAddr())
		}
	}
	answers(t)
}

func isTimeout(err error) bool {
	timeout, ok := err.(net.Error) //nolint:errorlint // a net.Conn's own error
	return ok && timeout.Timeout()
}

func TestAbuseByASubscriberThatNeverReads(t *testing.T) {
	defer survived(t)()
	to := attacker(t)
	open := func() float64 { return metrics(t)["kairship_graphql_subscriptions"] }
	before := open()
	s, err := abuse.NeverRead(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	eventually(t, time.Minute, func() error {
		if n := open(); n < before+abuse.PerConnection {
			return fmt.Errorf("%v subscriptions are open", n)
		}
		return nil
	})
	took := eventually(t, time.Minute, func() error {
		answers(t)
		if n := open(); n > before {
			return fmt.Errorf("%v subscriptions are open still", n)
		}
		return nil
	})
	t.Logf("dropped after %s", took)
}

func TestAbuseByFiveThousandSubscriptionsOfOneUser(t *testing.T) {
	const all, most = 5_000, 200
	defer survived(t)()
	to := attacker(t)
	before := metrics(t)["kairship_graphql_subscriptions"]
	sockets, refused, err := abuse.Subscriptions(t.Context(), to, all)
	defer closeAll(sockets)
	if err != nil {
		t.Fatal(err)
	}
	want := map[abuse.Refusal]int{{Code: "LIMIT_EXCEEDED", Name: "subscriptionsPerUser"}: all - most}
	if !maps.Equal(refused, want) {
		t.Errorf("refused: %v, want %v", refused, want)
	}
	if now := metrics(t)["kairship_graphql_subscriptions"]; now < before+most {
		t.Errorf("%v subscriptions are open, want %v", now, before+most)
	}
	// All of these sockets are as many as one user may have.
	if s, refusal, err := abuse.Open(t.Context(), to, false); err != nil || s != nil || refusal != (abuse.Refusal{Status: 1013, Code: "LIMIT_EXCEEDED", Name: "socketsPerUser"}) {
		t.Errorf("another socket: %v %+v %v", s, refusal, err)
	}
	answers(t)
	closeAll(sockets)

	// One connection has a limit of its own.
	var one *abuse.Socket
	eventually(t, time.Minute, func() error {
		s, refusal, err := abuse.Open(t.Context(), to, false)
		if err == nil && s == nil {
			err = fmt.Errorf("refused: %+v", refusal)
		}
		one = s
		return err
	})
	defer one.Close()
	if err := one.Subscribe(t.Context(), abuse.PerConnection+1); err != nil {
		t.Fatal(err)
	}
	refused, err = one.Answers(t.Context())
	if err != nil || !maps.Equal(refused, map[abuse.Refusal]int{{Code: "LIMIT_EXCEEDED", Name: "subscriptionsPerConnection"}: 1}) {
		t.Errorf("refused: %v %v", refused, err)
	}
}

func closeAll(sockets []*abuse.Socket) {
	for _, s := range sockets {
		s.Close()
	}
}
