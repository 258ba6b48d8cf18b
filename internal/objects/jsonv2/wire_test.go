package jsonv2_test

import (
	"bytes"
	"testing"

	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

func TestAPartSharesTheBytesOfItsDocument(t *testing.T) {
	document := []byte(`{"name":"a","parts":[ {"x": 1}, "two" ,null],"status":{"ready":true}}`)
	var o struct {
		Name   string        `json:"name"`
		Parts  []jsonv2.Part `json:"parts"`
		Status jsonv2.Part   `json:"status"`
		Absent jsonv2.Part   `json:"absent"`
	}
	if err := jsonv2.Unmarshal(document, &o); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		part jsonv2.Part
		want string
	}{{o.Parts[0], `{"x": 1}`}, {o.Parts[1], `"two"`}, {o.Parts[2], "null"}, {o.Status, `{"ready":true}`}} {
		if string(c.part) != c.want {
			t.Errorf("the part is %s, want %s", c.part, c.want)
		}
	}
	ready := bytes.Index(document, []byte("ready"))
	copy(document[ready:], "ended")
	if string(o.Status) != `{"ended":true}` {
		t.Errorf("the part was copied: it is still %s", o.Status)
	}
	if len(o.Parts) != 3 || o.Absent != nil || o.Name != "a" {
		t.Errorf("decoded %+v", o)
	}
	if err := jsonv2.Unmarshal([]byte(`{"status":{"ready":tru}}`), &o); err == nil {
		t.Error("a part that is no JSON was taken")
	}
}
