package live

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBufferSendsWhatTheReaderNeedsToKnow(t *testing.T) {
	now := func() time.Time { return time.Unix(0, 0) }
	type step func(*buffer[string, string]) []string
	put := func(key, value string) step {
		return func(b *buffer[string, string]) []string { b.put(key, value, true, now()); return nil }
	}
	gone := func(key string) step {
		return func(b *buffer[string, string]) []string { b.put(key, "", false, now()); return nil }
	}
	begin := func(keys ...string) step {
		return func(b *buffer[string, string]) []string {
			values := make([]string, len(keys))
			for i := range keys {
				values[i] = "0"
			}
			b.restart(keys, values, now())
			return nil
		}
	}
	read := func(n int) step {
		return func(b *buffer[string, string]) (out []string) {
			for range n {
				c, ok := b.take(now)
				if !ok {
					return append(out, "nothing")
				}
				line := string(c.kind)
				if c.value != "" {
					line += " " + c.value
				}
				out = append(out, line)
			}
			return out
		}
	}
	for _, tc := range []struct {
		name  string
		steps []step
		want  []string
	}{
		{"an empty stream is synced at once", []step{begin(), read(2)}, []string{"SYNCED", "nothing"}},
		{"an object that comes while the snapshot is read is added after it",
			[]step{begin("a"), put("b", "1"), read(4)}, []string{"SNAPSHOT 0", "SYNCED", "ADDED 1", "nothing"}},
		{"an object that changes before its snapshot was read is sent once, as it is now",
			[]step{begin("a"), put("a", "1"), read(3)}, []string{"SNAPSHOT 1", "SYNCED", "nothing"}},
		{"an object that goes before its snapshot was read is not mentioned",
			[]step{begin("a", "b"), gone("a"), read(3)}, []string{"SNAPSHOT 0", "SYNCED", "nothing"}},
		{"changes of one object become the last one",
			[]step{begin("a"), read(2), put("a", "1"), put("a", "2"), put("a", "3"), read(2)}, []string{"SNAPSHOT 0", "SYNCED", "MODIFIED 3", "nothing"}},
		{"an object that comes and goes unread is not mentioned",
			[]step{begin(), read(1), put("a", "1"), gone("a"), read(1)}, []string{"SYNCED", "nothing"}},
		{"an object that goes and comes back unread has changed",
			[]step{begin("a"), read(2), gone("a"), put("a", "1"), read(2)}, []string{"SNAPSHOT 0", "SYNCED", "MODIFIED 1", "nothing"}},
		{"a delete carries the last state that was sent",
			[]step{begin("a"), read(2), put("a", "1"), gone("a"), read(2)}, []string{"SNAPSHOT 0", "SYNCED", "DELETED 0", "nothing"}},
		{"what was never there cannot be deleted",
			[]step{begin(), read(1), gone("a"), read(1)}, []string{"SYNCED", "nothing"}},
		{"a large snapshot is no overflow",
			[]step{begin("a", "b", "c", "d"), read(5)}, []string{"SNAPSHOT 0", "SNAPSHOT 0", "SNAPSHOT 0", "SNAPSHOT 0", "SYNCED"}},
		{"what waits of a large snapshot leaves changes their room",
			[]step{begin("a", "b", "c", "d"), put("e", "1"), read(7)}, []string{"SNAPSHOT 0", "SNAPSHOT 0", "SNAPSHOT 0", "SNAPSHOT 0", "SYNCED", "ADDED 1", "nothing"}},
		{"beyond the limit the stream begins again, and says nothing until it does",
			[]step{begin("a"), read(2), put("b", "1"), put("c", "1"), put("d", "1"), put("e", "1"), read(2), begin("e"), read(3)},
			[]string{"SNAPSHOT 0", "SYNCED", "RESYNC", "nothing", "SNAPSHOT 0", "SYNCED", "nothing"}},
		{"a snapshot that overflows is begun again",
			[]step{begin("a"), put("b", "1"), put("c", "1"), put("d", "1"), read(1), begin("a"), read(2)},
			[]string{"RESYNC", "SNAPSHOT 0", "SYNCED"}},
		{"after RESYNC a change is an addition only to what was sent again",
			[]step{begin("a"), read(2), put("b", "1"), put("c", "1"), put("d", "1"), read(1), begin("b"), read(2), put("a", "1"), put("b", "2"), read(2)},
			[]string{"SNAPSHOT 0", "SYNCED", "RESYNC", "SNAPSHOT 0", "SYNCED", "ADDED 1", "MODIFIED 2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			lost := 0
			b := newBuffer[string, string](2, 0, func() { lost++ })
			var got []string
			for _, s := range tc.steps {
				got = append(got, s(b)...)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
			if want := slices.Contains(tc.want, "RESYNC"); (lost > 0) != want {
				t.Errorf("told of %d losses, want some: %v", lost, want)
			}
		})
	}
}

func TestBufferIsBoundedHoweverOftenObjectsComeAndGo(t *testing.T) {
	b := newBuffer[string, string](8, 0, func() {})
	b.restart(nil, nil, time.Time{})
	for i := range 10_000 {
		key := fmt.Sprint(i % 4)
		b.put(key, "x", i%3 != 0, time.Time{})
	}
	if len(b.order) > 8 || len(b.waiting) > 8 {
		t.Errorf("%d keys and %d entries wait, want at most 8", len(b.order), len(b.waiting))
	}
}
