package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
)

// manyUsers ask at once, each for a page every thinking, or as soon as the page before is there where that takes longer.
const (
	manyUsers = 50
	thinking  = 2 * time.Second
)

// measureUsers asks for pages as many users at once, and as one user beside changes to the store.
func (l *lab) measureUsers(ctx context.Context, config *pgx.ConnConfig) (err error) {
	s, err := startServer(ctx, l.fleet, l.o.kairship, l.storeFile, l.direct(config)...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	detailed, err := detailedOf(ctx, l.fleet, s.address)
	if err != nil {
		return err
	}
	size := l.o.sizes[len(l.o.sizes)-1]
	list := questions(l.o.states, detailed, l.o.instance)
	first := &list[0]
	for range 20 { // opens connections and fills the process' pools
		if err := first.ask(ctx, l.fleet, s.address, size); err != nil {
			return err
		}
	}
	if err := l.besideChanges(ctx, config, s, first, size); err != nil {
		return err
	}
	var pages []*question
	for i := range list {
		if q := &list[i]; q.flat && !q.middle {
			pages = append(pages, q)
		}
	}
	return l.atOnce(ctx, s, pages, size)
}

// besideChanges compares blocks of a page alone and beside a hundred changes a second to what it shows.
func (l *lab) besideChanges(ctx context.Context, config *pgx.ConnConfig, s *server, q *question, size int) error {
	const blocks, block = 6, 40
	took := map[bool][]time.Duration{}
	changes := 0
	for range blocks {
		for _, beside := range []bool{false, true} {
			stop := func() (int, error) { return 0, nil }
			if beside {
				stop = l.change(ctx, config)
			}
			for range block {
				start := time.Now()
				if err := q.ask(ctx, l.fleet, s.address, size); err != nil {
					_, stopped := stop()
					return errors.Join(err, stopped)
				}
				took[beside] = append(took[beside], time.Since(start))
			}
			n, err := stop()
			if err != nil {
				return err
			}
			changes += n
		}
	}
	fmt.Printf("\n%s with %d workloads, %d × %d times in turns alone and beside %d changes, a hundred a second: p50 %s and %s (%.2f), p95 %s and %s (%.2f)\n", q.name, size, blocks, block, changes,
		round(quantile(took[false], .5)), round(quantile(took[true], .5)), ratio(took[true], took[false]),
		round(quantile(took[false], .95)), round(quantile(took[true], .95)), float64(quantile(took[true], .95))/float64(quantile(took[false], .95)))
	return nil
}

// change changes workloads of the first page and their bindings as Clusterpedia does, a hundred a second, until stop is
// called, which returns how many.
func (l *lab) change(ctx context.Context, config *pgx.ConnConfig) (stop func() (int, error)) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	var n int
	var err error
	go func() {
		defer close(done)
		var conn *pgx.Conn
		if conn, err = pgx.ConnectConfig(ctx, config); err != nil {
			return
		}
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
		tick := time.NewTicker(time.Second / 100)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if _, failed := conn.Exec(ctx, `UPDATE resources SET resource_version = resource_version, synced_at = now(),
				object = jsonb_set(object, '{metadata,annotations,changed}', to_jsonb($2::text))
				WHERE id = (SELECT id FROM resources WHERE cluster = $1 AND namespace = $3 AND resource IN ('deployments', 'resourcebindings') OFFSET $4 LIMIT 1)`,
				labCluster, strconv.Itoa(n), steadyNamespace, n%steadyWorkloads); failed != nil {
				if ctx.Err() == nil {
					err = fmt.Errorf("changing a row: %w", failed)
				}
				return
			}
			n++
		}
	}()
	return func() (int, error) {
		cancel()
		<-done
		return n, err
	}
}

// atOnce has many users ask for pages in turns, and watches the memory of the server.
func (l *lab) atOnce(ctx context.Context, s *server, pages []*question, size int) (err error) {
	tokens, leave, err := l.administrators(ctx)
	defer func() { err = errors.Join(err, leave()) }()
	if err != nil {
		return err
	}
	var mu sync.Mutex
	took := map[string][]time.Duration{}
	before, began := processorTime([]int{s.command.Process.Pid}), time.Now()
	end := began.Add(l.o.soak)
	var memory []float64
	g, together := errgroup.WithContext(ctx)
	for user, token := range tokens {
		as := l.as(token)
		g.Go(func() error {
			// Not all at the same moment.
			next := time.NewTimer(thinking * time.Duration(user) / manyUsers)
			defer next.Stop()
			for i := user; time.Now().Before(end); i++ {
				select {
				case <-next.C:
				case <-together.Done():
					return nil
				}
				q := pages[i%len(pages)]
				start := time.Now()
				next.Reset(thinking)
				if err := q.ask(together, as, s.address, size); err != nil {
					return fmt.Errorf("as one of %d users: %w", manyUsers, err)
				}
				mu.Lock()
				took[q.name] = append(took[q.name], time.Since(start))
				mu.Unlock()
			}
			return nil
		})
	}
	g.Go(func() error {
		tick := time.NewTicker(max(l.o.soak/60, time.Second))
		defer tick.Stop()
		for time.Now().Before(end) {
			select {
			case <-tick.C:
				memory = append(memory, residentMB(s.command.Process.Pid))
			case <-together.Done():
				return nil
			}
		}
		return nil
	})
	if err := g.Wait(); err != nil {
		return err
	}
	answers := 0
	for _, d := range took {
		answers += len(d)
	}
	spent := processorTime([]int{s.command.Process.Pid}) - before
	fmt.Printf("\n%d users, each of whom asks every %s, with %d workloads for %s: %d pages, %.0f a second, %s of the processors each\n\n", manyUsers, thinking, size, time.Since(began).Round(time.Second), answers,
		float64(answers)/time.Since(began).Seconds(), round(spent/time.Duration(max(answers, 1))))
	fmt.Printf("%-18s %9s %9s %9s\n", "", "p50", "p95", "p99")
	for _, q := range pages {
		if d := took[q.name]; len(d) > 0 {
			fmt.Printf("%-18s %9s %9s %9s\n", q.name, round(quantile(d, .5)), round(quantile(d, .95)), round(quantile(d, .99)))
		}
	}
	return l.judgeMemory(memory)
}

// ofTheLab marks the users of the lab.
const ofTheLab = "playground.kairship.io/bench"

// administrators makes as many users with all rights, who share nothing with each other, and returns their tokens. They are
// removed by leave, also after an error.
func (l *lab) administrators(ctx context.Context) (tokens []string, leave func() error, err error) {
	host, err := kubernetes.NewForConfig(l.host)
	if err != nil {
		return nil, func() error { return nil }, fmt.Errorf("making a client of the host cluster: %w", err)
	}
	accounts := host.CoreV1().ServiceAccounts(adminNamespace)
	leave = func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleaning)
		defer cancel()
		if err := accounts.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: ofTheLab}); err != nil {
			return fmt.Errorf("removing users: %w", err)
		}
		return nil
	}
	if err := leave(); err != nil { // what an interrupted run left
		return nil, leave, err
	}
	for range manyUsers {
		account, err := accounts.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{GenerateName: "bench-", Labels: map[string]string{ofTheLab: ""}}}, metav1.CreateOptions{})
		if err != nil {
			return nil, leave, fmt.Errorf("making a user: %w", err)
		}
		issued, err := accounts.CreateToken(ctx, account.Name, &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
			Audiences: []string{tokenAudience}, ExpirationSeconds: ptr.To(int64(max(l.o.soak+cleaning, time.Hour) / time.Second))}}, metav1.CreateOptions{})
		if err != nil {
			return nil, leave, fmt.Errorf("making the token of a user: %w", err)
		}
		tokens = append(tokens, issued.Status.Token)
	}
	return tokens, leave, nil
}

// judgeMemory prints the server's resident memory, and fails where there is too much of it, or where it grows: where the
// last third of the time has more than the second one by a tenth.
func (l *lab) judgeMemory(memory []float64) error {
	third := len(memory) / 3
	if third == 0 || memory[0] == 0 {
		return nil // there is no /proc
	}
	mean := func(of []float64) (sum float64) {
		for _, m := range of {
			sum += m
		}
		return sum / float64(len(of))
	}
	most := 0.0
	for _, m := range memory {
		most = max(most, m)
	}
	second, last := mean(memory[third:2*third]), mean(memory[2*third:])
	fmt.Printf("\nresident memory of the server: %.0f MB at most (limit %d); on average %.0f, %.0f and %.0f MB in the thirds of that time\n", most, l.o.memory, mean(memory[:third]), second, last)
	var failed []error
	if most > float64(l.o.memory) {
		failed = append(failed, fmt.Errorf("the server takes %.0f MB of memory under %d users; the limit is %d", most, manyUsers, l.o.memory))
	}
	if last > 1.1*second {
		failed = append(failed, fmt.Errorf("the server's memory grows under %d users: from %.0f to %.0f MB on average", manyUsers, second, last))
	}
	return errors.Join(failed...)
}

// residentMB is the resident memory of a process; 0 where it is not known.
func residentMB(pid int) float64 {
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(raw))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseFloat(fields[1], 64) // a number, by the kernel
	return pages * float64(os.Getpagesize()) / 1e6
}
