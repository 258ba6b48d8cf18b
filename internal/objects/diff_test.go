package objects_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
)

func TestDiff(t *testing.T) {
	for _, tt := range []struct {
		name     string
		from, to string
		want     []string
	}{
		{
			name: "a new image is one change, found by the container's name",
			from: `{"spec":{"containers":[{"name":"web","image":"nginx:1.26"},{"name":"log","image":"fluent:3"}]}}`,
			to:   `{"spec":{"containers":[{"name":"log","image":"fluent:3"},{"name":"web","image":"nginx:1.27"}]}}`,
			want: []string{"/spec/containers[name=web]/image: nginx:1.26 -> nginx:1.27"},
		},
		{
			name: "items that moved are no change",
			from: `{"env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]}`,
			to:   `{"env":[{"name":"B","value":"2"},{"name":"A","value":"1"}]}`,
		},
		{
			name: "init containers that changed places are a change, because they run in order",
			from: `{"initContainers":[{"name":"a"},{"name":"b"},{"name":"gone"}]}`,
			to:   `{"initContainers":[{"name":"b"},{"name":"a"},{"name":"new"}]}`,
			want: []string{
				`/initContainers[name=new]: nil -> {"name":"new"}`,
				`/initContainers[name=gone]: {"name":"gone"} -> nil`,
				`/initContainers: ["a","b"] -> ["b","a"]`,
			},
		},
		{
			name: "an item that came and one that went are each one change",
			from: `{"env":[{"name":"A","value":"1"}]}`,
			to:   `{"env":[{"name":"B","value":"<2>"}]}`,
			want: []string{`/env[name=B]: nil -> {"name":"B","value":"<2>"}`, `/env[name=A]: {"name":"A","value":"1"} -> nil`},
		},
		{
			name: "a list of plain values is one field",
			from: `{"args":["-v","--port=80"]}`,
			to:   `{"args":["--port=80"]}`,
			want: []string{`/args: ["-v","--port=80"] -> ["--port=80"]`},
		},
		{
			name: "ports without names go by number, and mounts of one volume by path",
			from: `{"ports":[{"containerPort":80}],"volumeMounts":[{"name":"v","mountPath":"/a"},{"name":"v","mountPath":"/b"}]}`,
			to:   `{"ports":[{"containerPort":80,"protocol":"UDP"}],"volumeMounts":[{"name":"v","mountPath":"/b","readOnly":true},{"name":"v","mountPath":"/a"}]}`,
			want: []string{"/ports[containerPort=80]/protocol: nil -> UDP", "/volumeMounts[mountPath=~1b]/readOnly: nil -> true"},
		},
		{
			name: "items without names go by place, and one in between does not change those that follow",
			from: `{"terms":[{"a":"1"},{"a":"2"},{"a":"3"}],"more":[{"a":"1"},{"a":"3"}]}`,
			to:   `{"terms":[{"a":"1"},{"a":"3"}],"more":[{"a":"1"},{"a":"2"},{"a":"3"}]}`,
			want: []string{`/more/1: nil -> {"a":"2"}`, `/terms/1: {"a":"2"} -> nil`},
		},
		{
			name: "two items of one name are told apart by place",
			from: `{"env":[{"name":"A","value":"1"},{"name":"A","value":"2"}]}`,
			to:   `{"env":[{"name":"A","value":"1"},{"name":"A","value":"3"}]}`,
			want: []string{"/env/1/value: 2 -> 3"},
		},
		{
			name: "the first and the last item of a list",
			from: `{"env":[]}`, to: `{"env":[{"name":"A"}]}`,
			want: []string{`/env[name=A]: nil -> {"name":"A"}`},
		},
		{
			name: "names are escaped as in a JSON pointer",
			from: `{"metadata":{"labels":{"example.com/a~b":"x"}}}`,
			to:   `{"metadata":{"labels":{}}}`,
			want: []string{"/metadata/labels/example.com~1a~0b: x -> nil"},
		},
		{
			name: "null is absent",
			from: `{"metadata":{"creationTimestamp":null},"a":null}`,
			to:   `{"metadata":{},"b":null}`,
		},
		{
			name: "a text that becomes the same number is told apart",
			from: `{"port":"80"}`, to: `{"port":80}`,
			want: []string{`/port: "80" -> 80`},
		},
		{
			name: "a number is compared as it is written, however long",
			from: `{"n":9007199254740993}`, to: `{"n":9007199254740992}`,
			want: []string{"/n: 9007199254740993 -> 9007199254740992"},
		},
		{
			name: "an object that becomes a value",
			from: `{"a":{"b":1}}`, to: `{"a":["x"]}`,
			want: []string{`/a: {"b":1} -> ["x"]`},
		},
		{
			name: "a document that was not there",
			to:   `{"a":1}`,
			want: []string{`: nil -> {"a":1}`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changes, err := objects.Diff([]byte(tt.from), []byte(tt.to))
			if err != nil {
				t.Fatal(err)
			}
			if got := written(changes); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
}

func TestDiffRefusesWhatIsNotJSON(t *testing.T) {
	for _, pair := range [][2]string{{`{`, `{}`}, {`{}`, `{`}} {
		if changes, err := objects.Diff([]byte(pair[0]), []byte(pair[1])); err == nil {
			t.Errorf("%q against %q gave %v, want an error", pair[0], pair[1], changes)
		}
	}
}

func written(changes []model.FieldChange) []string {
	var out []string
	for _, c := range changes {
		out = append(out, fmt.Sprintf("%s: %s -> %s", c.Path, orNil(c.From), orNil(c.To)))
	}
	return out
}

func orNil(s *string) string {
	if s == nil {
		return "nil"
	}
	return *s
}
