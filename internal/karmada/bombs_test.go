package karmada

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/boundedyaml/bombs"
)

// unreachable is an instance of which nothing may be asked.
type unreachable struct{ t *testing.T }

func (u unreachable) Instance() string { return "asia" }
func (u unreachable) As(auth.Principal) (*rest.Config, error) {
	return &rest.Config{Host: "https://192.0.2.1"}, nil
}
func (u unreachable) Mapper() meta.ResettableRESTMapper {
	u.t.Error("the instance was asked for its kinds")
	return nil
}

func TestABombIsRefusedByApplyWithoutBeingMadeLarge(t *testing.T) {
	const most = 32 << 20
	// A small one first: should it be read, this machine has the memory.
	if docs, _, err := Apply(t.Context(), unreachable{t}, admin, Request{Manifests: bombs.LongText(64 << 10)}); err != nil || len(docs) != 1 || !strings.Contains(docs[0].Error.Message, "allowed") {
		t.Fatalf("a small one is not refused: %+v, %v", docs, err)
	}
	for _, bomb := range bombs.All() {
		t.Run(bomb.Name, func(t *testing.T) {
			text := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n"
			text += bomb.Text(MaxDocumentBytes - len(text))
			var docs []model.DocumentOutcome
			var err error
			seen := 0
			took := bombs.Allocated(t, func() {
				docs, _, err = Apply(t.Context(), unreachable{t}, admin, Request{Manifests: text, Seen: func(o []map[string]any) { seen += len(o) }})
			})
			switch {
			case err != nil || len(docs) == 0 || docs[0].Error == nil || len(docs) > 1 && !bomb.Broken:
				t.Fatalf("got %+v, %v", docs, err)
			case !strings.Contains(docs[0].Error.Message, "allowed") && (!bomb.Broken || !strings.Contains(docs[0].Error.Message, "line ")):
				t.Errorf("refused for something else: %s", docs[0].Error.Message)
			case seen != 0:
				t.Error("it was read")
			}
			if took > most {
				t.Errorf("%d bytes were allocated for it", took)
			}
			t.Logf("%s; %d KiB allocated", docs[0].Error.Message, took>>10)
		})
	}
}

// JSON cannot repeat itself, but a few bytes of it are a value of a hundred.
func TestJSONOfVeryManyValuesIsRefusedByApply(t *testing.T) {
	for name, data := range map[string]string{"numbers": strings.Repeat("0,", 520_000) + "0", "objects": strings.Repeat("{},", 349_000) + "0", "nested": strings.Repeat("[", 500_000)} {
		t.Run(name, func(t *testing.T) {
			text := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":[` + data + "]}"
			var docs []model.DocumentOutcome
			took := bombs.Allocated(t, func() { docs, _, _ = Apply(t.Context(), unreachable{t}, admin, Request{Manifests: text}) })
			if len(docs) != 1 || docs[0].Error == nil || !strings.Contains(docs[0].Error.Message, "allowed") {
				t.Errorf("got %+v", docs)
			}
			if took > 32<<20 {
				t.Errorf("%d bytes were allocated for it", took)
			}
		})
	}
}

func TestNothingIsReadThatThereIsNoRoomFor(t *testing.T) {
	before := inMemory
	defer func() { inMemory = before }()
	inMemory = newMemoryBound(1, 1, time.Hour)
	release, err := inMemory.acquire(t.Context(), "somebody", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	inMemory.wait = time.Millisecond
	_, _, err = Apply(t.Context(), unreachable{t}, admin, Request{Manifests: "kind: A", Seen: func([]map[string]any) { t.Error("it was read") }})
	var e *model.Error
	if !errors.As(err, &e) || e.Code != model.CodeLimitExceeded {
		t.Errorf("got %v", err)
	}
}

// answering is an instance whose API server is some server.
type answering struct {
	unreachable
	host string
}

func (a answering) As(auth.Principal) (*rest.Config, error) { return &rest.Config{Host: a.host}, nil }

func TestRoomIsTakenForAsLongAsManifestsAreApplied(t *testing.T) {
	before := inMemory
	defer func() { inMemory = before }()
	room := newMemoryBound(1, 1, time.Hour)
	inMemory = room
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		if room.all.TryAcquire(1) {
			room.all.Release(1)
			t.Error("there is room while manifests are being applied")
		}
		hijacked, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = hijacked.Close()
	}))
	defer s.Close()
	if _, _, err := Apply(t.Context(), answering{unreachable{t}, s.URL}, admin, Request{Manifests: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}"}); err == nil || asked.Load() == 0 {
		t.Errorf("the API server was asked %d times: %v", asked.Load(), err)
	}
	if !room.all.TryAcquire(1) {
		t.Error("there is no room when they have been applied")
	}
}

func TestRoomIsThatOfWhoApplies(t *testing.T) {
	before := inMemory
	defer func() { inMemory = before }()
	inMemory = newMemoryBound(10, 1, time.Hour)
	release, err := inMemory.acquire(t.Context(), admin.Name, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for _, c := range []struct {
		who     auth.Principal
		wait    time.Duration
		refused bool
	}{{admin, time.Millisecond, true}, {reader, time.Hour, false}} {
		inMemory.wait = c.wait
		read := false
		_, _, err := Apply(t.Context(), unreachable{t}, c.who, Request{Manifests: "kind: A", Seen: func([]map[string]any) { read = true }})
		var e *model.Error
		if refused := errors.As(err, &e) && strings.Contains(e.Message, "your other requests"); refused != c.refused || read == c.refused {
			t.Errorf("%s: refused %v, read %v: %v", c.who.Name, refused, read, err)
		}
	}
}

func BenchmarkApplyOfABomb(b *testing.B) {
	text := bombs.LongText(MaxDocumentBytes)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Apply(b.Context(), unreachable{}, admin, Request{Manifests: text}); err != nil {
			b.Fatal(err)
		}
	}
}
