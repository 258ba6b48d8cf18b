package cmd

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/server/proxy"
)

func TestTheAuditLogTellsWhatRanInAPod(t *testing.T) {
	of := proxy.Record{Verb: "create", Instance: "asia", Cluster: "tokyo", Version: "v1", Resource: "pods", Subresource: "exec", Namespace: "shop", Name: "cart",
		Container: "app", Command: []string{"sh", "-c", "PASSWORD=hunter2 run"}, Status: 101, Stage: proxy.StageComplete, Duration: time.Minute}
	for name, tc := range map[string]struct {
		change  func(*proxy.Record)
		outcome audit.Outcome
		says    string
	}{
		"it begins":            {func(r *proxy.Record) { r.Stage, r.Duration = proxy.StageStarted, time.Second }, audit.Started, `container "app"; command ["sh" "-c"`},
		"it has ended":         {func(r *proxy.Record) { r.End = proxy.EndedItself }, audit.Succeeded, `it has ended; container "app"`},
		"the right was lost":   {func(r *proxy.Record) { r.End = proxy.EndedRight }, audit.Refused, "the right to it was lost"},
		"the server shut down": {func(r *proxy.Record) { r.End = proxy.EndedServer }, audit.Failed, "the server shut down"},
		"it is refused":        {func(r *proxy.Record) { r.Status = 403 }, audit.Refused, `command ["sh" "-c"`},
		"a long command":       {func(r *proxy.Record) { r.End, r.Command = proxy.EndedItself, []string{strings.Repeat("x", 4<<10)} }, audit.Succeeded, "it has ended"},
	} {
		t.Run(name, func(t *testing.T) {
			store := &kept{}
			e := &entrance{recorder: audit.NewRecorder(store, audit.RecorderOptions{})}
			r := of
			tc.change(&r)
			e.auditProxied(t.Context(), r)
			if err := e.recorder.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := store.events[0]
			if got.Outcome != tc.outcome || got.Action != "exec" || !strings.Contains(got.Message, tc.says) || strings.Contains(got.Message, "hunter2") || len(got.Message) > 1024 || got.Duration != r.Duration {
				t.Errorf("got %+v", got)
			}
			if diff := cmp.Diff(model.Ref{Instance: "asia", Cluster: "tokyo", Namespace: "shop", Name: "cart", GVK: got.Object.GVK}, got.Object); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOptionsOfConsolesThatCannotWorkAreRefused(t *testing.T) {
	database, people := &OwnDatabase{DSN: "x"}, &People{KubeconfigURL: "https://kairship.example"}
	for name, tc := range map[string]struct {
		c    Console
		d    *OwnDatabase
		p    *People
		says string
	}{
		"none":         {Console{}, &OwnDatabase{}, &People{}, ""},
		"one":          {Console{Runner: "unix:///x", TokenFile: "t"}, database, people, ""},
		"no token":     {Console{Runner: "unix:///x"}, database, people, "--console-token-file"},
		"no runner":    {Console{TokenFile: "t"}, database, people, "need --console-runner"},
		"no database":  {Console{Runner: "unix:///x", TokenFile: "t"}, &OwnDatabase{}, people, "--database-dsn"},
		"no addresses": {Console{Runner: "unix:///x", TokenFile: "t"}, database, &People{}, "--kubeconfig-url"},
	} {
		if err := tc.c.validate(tc.d, tc.p); (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, listen := range []string{"", "http://x:1", "https://x", "unix://x", "unix://host/x", "https://x:1/y"} {
		c := ConsoleRunner{Listen: listen, Users: "2000-3000", MaxSessions: 1, MaxUserSessions: 1, IdleTimeout: 1, TLSCertFile: "c", TLSPrivateKeyFile: "k"}
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "--listen") {
			t.Errorf("--listen=%s: %v", listen, err)
		}
	}
	for _, users := range []string{"", "2000", "0-10", "3000-2000", "a-b"} {
		c := ConsoleRunner{Listen: "unix:///x", Users: users, MaxSessions: 1, MaxUserSessions: 1, IdleTimeout: 1}
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "--users") {
			t.Errorf("--users=%s: %v", users, err)
		}
	}
}
