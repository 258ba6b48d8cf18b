package supervisor

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBackoff(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	tests := map[string]struct {
		ran  []time.Duration
		want []time.Duration
	}{
		"the first crash is forgiven quickly": {
			ran: []time.Duration{0}, want: []time.Duration{500 * ms},
		},
		"crashes in a row wait twice as long each, up to a limit": {
			ran:  []time.Duration{0, s, s, s, s, s, s},
			want: []time.Duration{500 * ms, s, 2 * s, 4 * s, 8 * s, 15 * s, 15 * s},
		},
		"a long life starts the count anew": {
			ran:  []time.Duration{0, s, time.Minute, s},
			want: []time.Duration{500 * ms, s, 500 * ms, s},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var b backoff
			var got []time.Duration
			for _, ran := range tt.ran {
				got = append(got, b.next(ran))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("pauses (-want +got):\n%s", diff)
			}
		})
	}
}
