package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/kairship-io/kairship/bench/abuse"
)

const (
	halfOpenAttack      = "10,000 half-open sockets"
	neverReadAttack     = "a subscriber that never reads"
	subscriptionsAttack = "5,000 subscriptions by one user"

	// attackerEnv holds the attacker's token.
	attackerEnv = "KAIRSHIP_ATTACKER_TOKEN"
	// standing is what an attacker prints once its attack is under way; how it was refused follows when it ends.
	standing = "standing"
	// abusePause is how long an attacker waits after an answer.
	abusePause = 20 * time.Millisecond
	// abuseBlock is how many queries are timed in a row, alone and beside an attack.
	abuseBlock = 40
)

// attackNames are all attacks in the order of the table.
func attackNames() []string {
	var names []string
	for _, r := range abuse.Requests() {
		names = append(names, r.Name)
	}
	return append(names, halfOpenAttack, neverReadAttack, subscriptionsAttack)
}

// measureAbuse times the first page of workloads, as an administrator requests it, in turns alone and beside each
// attack by somebody else. An attacker is a process with the lowest priority, since it shares the cores with its
// target, and one client, which waits a little between requests: over loopback it would otherwise send more than any
// network delivers, and the attacker's own load would be measured.
func measureAbuse(ctx context.Context, f *fleet, o *options) error {
	token, err := f.run(ctx, "token", "owner")
	if err != nil {
		return err
	}
	names := attackNames()
	if len(o.only) > 0 {
		names = slices.DeleteFunc(names, func(name string) bool {
			return !slices.ContainsFunc(o.only, func(part string) bool { return strings.Contains(name, part) })
		})
	}
	alone, beside, refused := map[string][]time.Duration{}, map[string][]time.Duration{}, map[string]string{}
	block := func(into map[string][]time.Duration, name string) error {
		for range abuseBlock {
			start := time.Now()
			var data map[string]any
			if err := f.query(ctx, o.address, page, map[string]any{"instance": o.instance}, &data); err != nil {
				return fmt.Errorf("beside %s: %w", name, err)
			}
			into[name] = append(into[name], time.Since(start))
		}
		return nil
	}
	if err := block(map[string][]time.Duration{}, "nothing"); err != nil { // warms everything up
		return err
	}
	rounds := func(names []string) error {
		for range o.abuse {
			for _, name := range names {
				if err := block(alone, name); err != nil {
					return err
				}
				a, err := startAttacker(ctx, o, token, name)
				if err != nil {
					return err
				}
				err = block(beside, name)
				was, stopped := a.stop()
				if err := errors.Join(err, stopped); err != nil {
					return err
				}
				refused[name] = was
			}
		}
		return nil
	}
	above := func(name string) bool {
		return float64(quantile(beside[name], .95)) > o.abuseLimit*float64(quantile(alone[name], .95))
	}
	if err := rounds(names); err != nil {
		return err
	}
	// The p95 of two hundred answers is the tenth worst of them: what is above the limit is measured once more, and judged by all.
	if err := rounds(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !above(name) })); err != nil {
		return err
	}
	fmt.Printf("first page of %s beside abuse, %d × %d queries each, in turns; twice as many where the limit was passed\n\n", o.instance, o.abuse, abuseBlock)
	fmt.Printf("%-32s %9s %9s %7s %7s  %s\n", "", "p95 alone", "beside", "ratio", "of p50", "refused by, in one round")
	var failed []error
	for _, name := range names {
		r := float64(quantile(beside[name], .95)) / float64(quantile(alone[name], .95))
		fmt.Printf("%-32s %9s %9s %7.2f %7.2f  %s\n", name, round(quantile(alone[name], .95)), round(quantile(beside[name], .95)), r, ratio(beside[name], alone[name]), refused[name])
		if above(name) {
			failed = append(failed, fmt.Errorf("beside %s the p95 is %.2f times what it is alone, above %.1f", name, r, o.abuseLimit))
		}
	}
	fmt.Println()
	return errors.Join(failed...)
}

// attacker is a process that attacks.
type attacker struct {
	command *exec.Cmd
	stdin   io.Closer
	lines   *bufio.Scanner
}

// startAttacker returns when the attack is under way.
func startAttacker(ctx context.Context, o *options, token, name string) (*attacker, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	a := &attacker{command: exec.CommandContext(ctx, "nice", "-n", "19", self, "-attack", name, "-address", o.address)}
	a.command.Env = append(os.Environ(), attackerEnv+"="+token)
	a.command.Stderr = os.Stderr
	out, err := a.command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting an attacker: %w", err)
	}
	if a.stdin, err = a.command.StdinPipe(); err != nil {
		return nil, fmt.Errorf("starting an attacker: %w", err)
	}
	if err := a.command.Start(); err != nil {
		return nil, fmt.Errorf("starting an attacker: %w", err)
	}
	a.lines = bufio.NewScanner(out)
	if !a.lines.Scan() || a.lines.Text() != standing {
		_, err := a.stop()
		return nil, errors.Join(fmt.Errorf("%s: the attack did not begin", name), err)
	}
	return a, nil
}

// stop ends the attack and returns how it was refused.
func (a *attacker) stop() (refused string, err error) {
	_ = a.stdin.Close() // ends the attack, unless it has ended already
	for a.lines.Scan() {
		refused = a.lines.Text()
	}
	if err := a.command.Wait(); err != nil {
		return refused, fmt.Errorf("an attacker failed: %w", err)
	}
	return refused, nil
}

// attack attacks until stdin ends.
func attack(ctx context.Context, o *options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // however it ends
		cancel()
	}()
	to := abuse.Target{Address: o.address, Token: os.Getenv(attackerEnv)}
	refused := map[string]int{}
	var err error
	switch o.attack {
	case halfOpenAttack:
		err = attackHalfOpen(ctx, to, refused)
	case neverReadAttack:
		err = attackUnread(ctx, to)
	case subscriptionsAttack:
		err = attackSubscriptions(ctx, to, refused)
	default:
		err = attackRequests(ctx, to, o.attack, refused)
	}
	if err != nil && ctx.Err() == nil {
		return err
	}
	var counts []string
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		counts = append(counts, fmt.Sprintf("%s %d", name, refused[name]))
	}
	fmt.Println(strings.Join(counts, ", "))
	return nil
}

// stands returns a function that prints once that the attack is under way.
func stands() func() {
	said := false
	return func() {
		if !said {
			fmt.Println(standing)
		}
		said = true
	}
}

func attackRequests(ctx context.Context, to abuse.Target, name string, refused map[string]int) error {
	requests := abuse.Requests()
	i := slices.IndexFunc(requests, func(r abuse.Request) bool { return r.Name == name })
	if i < 0 {
		return fmt.Errorf("there is no attack %q", name)
	}
	under := stands()
	for ctx.Err() == nil {
		got, err := requests[i].Send(ctx, http.DefaultClient, to)
		switch {
		case err == nil:
			refused[got.Name]++
		case ctx.Err() != nil: // the lab has ended it
		case refused["cut off"] > refused[requests[i].Want.Name]+100:
			return err
		default:
			refused["cut off"]++ // the server hung up while the request was being sent
		}
		under()
		pause(ctx, abusePause)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// attackHalfOpen opens a thousand connections a second and closes each after ten seconds, so that ten thousand are
// open; half of them ask for a WebSocket.
func attackHalfOpen(ctx context.Context, to abuse.Target, refused map[string]int) error {
	const each, all = time.Millisecond, 10_000
	tick := time.NewTicker(each)
	defer tick.Stop()
	under := stands()
	open := make([]net.Conn, all)
	for i := 0; ctx.Err() == nil; i++ {
		if i == all {
			under()
		}
		<-tick.C
		if old := open[i%all]; old != nil {
			_ = old.Close()
		}
		var conn net.Conn
		var refusal abuse.Refusal
		var err error
		if from := abuse.Source(i / 2); i%2 == 0 {
			conn, err = abuse.HalfHead(ctx, to, from)
		} else if conn, refusal, err = abuse.Knock(ctx, to, from); refusal.Name != "" {
			refused[refusal.Name]++
		}
		if err != nil {
			return err
		}
		open[i%all] = conn
	}
	return nil
}

// attackUnread opens as many subscriptions as one user may have, on four sockets that it does not read. It replaces
// each after ten seconds.
func attackUnread(ctx context.Context, to abuse.Target) error {
	const most, givenUp = 4, 10 * time.Second
	under := stands()
	sockets := make([]*abuse.Socket, most)
	defer func() { closeAll(sockets) }()
	for i := 0; ctx.Err() == nil; i++ {
		closeAll(sockets[i%most : i%most+1])
		var err error
		if sockets[i%most], err = abuse.NeverRead(ctx, to); err != nil {
			return err
		}
		pause(ctx, givenUp/most/2)
		if i == most {
			under() // halfway between two new sockets
		}
		pause(ctx, givenUp/most/2)
	}
	return nil
}

// attackSubscriptions opens five thousand subscriptions on a hundred sockets, again and again.
func attackSubscriptions(ctx context.Context, to abuse.Target, refused map[string]int) error {
	const most = 5_000 / abuse.PerConnection
	under := stands()
	var sockets []*abuse.Socket
	defer func() { closeAll(sockets) }()
	for ctx.Err() == nil {
		if len(sockets) >= most {
			under()
			closeAll(sockets)
			sockets = nil
		}
		more, was, err := abuse.Subscriptions(ctx, to, abuse.PerConnection)
		sockets = append(sockets, more...)
		for refusal, n := range was {
			refused[refusal.Name] += n
		}
		if err != nil {
			return err
		}
		pause(ctx, abusePause)
	}
	return nil
}

func closeAll(sockets []*abuse.Socket) {
	for _, s := range sockets {
		if s != nil {
			s.Close()
		}
	}
}
