package virtualcluster

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestPlacesAreSpreadAndStay(t *testing.T) {
	const clusters = 4000
	before := []string{"a", "b", "c", "d"}
	held := map[string]int{}
	placed := map[string]string{}
	for i := range clusters {
		name := fmt.Sprintf("kairship.instance-%d.member-%d", i%200, i/200)
		placed[name] = place(before, name)
		held[placed[name]]++
	}
	for _, shard := range before {
		if want := float64(clusters) / 4; math.Abs(float64(held[shard])-want) > want/8 {
			t.Errorf("shard %s holds %d of %d", shard, held[shard], clusters)
		}
	}
	for name, was := range placed {
		if got := place([]string{"d", "c", "b", "a"}, name); got != was {
			t.Errorf("%s moved from %s to %s because the shards were named in another order", name, was, got)
		}
		if got := place([]string{"a", "b", "c", "d", "e"}, name); got != was && got != "e" {
			t.Errorf("%s moved from %s to %s when e came", name, was, got)
		}
		if got := place([]string{"a", "b", "c"}, name); got != was && was != "d" {
			t.Errorf("%s moved from %s to %s when d went", name, was, got)
		}
	}
	if got := place(nil, "kairship.asia"); got != "" {
		t.Errorf("without shards: %q", got)
	}
}

func TestShardsAreChecked(t *testing.T) {
	for name, tt := range map[string]struct {
		shards []string
		want   string
	}{
		"none":           {nil, ""},
		"two":            {[]string{"a", "b-1"}, ""},
		"one twice":      {[]string{"a", "b", "a"}, `"a" is there twice`},
		"an empty name":  {[]string{"a", ""}, `"" is not the --sharding-name of a synchro manager`},
		"not a DNS name": {[]string{"A_1"}, `"A_1" is not the --sharding-name of a synchro manager`},
	} {
		t.Run(name, func(t *testing.T) {
			err := CheckShards(tt.shards)
			if (err == nil) != (tt.want == "") || (err != nil && !slices.Equal([]rune(err.Error())[:len([]rune(tt.want))], []rune(tt.want))) {
				t.Errorf("want %q, got %v", tt.want, err)
			}
		})
	}
}
