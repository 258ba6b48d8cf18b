package promotion

import (
	"context"
	"fmt"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/boundedyaml"
)

// Who runs a member answers what they like. An API server stores 1.5 MiB of an object, of which JSON makes up to twice as much; what an object
// needs is small beside it, and all of it is kept until the plan is carried out.
const (
	// MostObjectBytes is the most of one object, as JSON.
	MostObjectBytes = 3 << 20
	// MostBytes is the most of all objects of a plan together, and of the list of Services that are looked at.
	MostBytes = 16 << 20
)

// Values count as manifests that are applied do: a template is one. A plan may have as many as the largest of them together.
var (
	objectLimits = boundedyaml.Limits{Values: 100_000, Bytes: MostObjectBytes, Depth: 500}
	planLimits   = boundedyaml.Limits{Values: 500_000, Bytes: MostBytes, Depth: 500}
)

// found is an object as the member has it.
type found struct {
	ref     model.Ref
	raw     []byte // nil where it is not kept
	content map[string]any
	// made says that this promotion made its template before.
	made bool
}

// read reads an object of the member.
func (p *planner) read(ctx context.Context, ref model.Ref) (*found, error) {
	raw, err := p.in.Get(ctx, ref, MostObjectBytes)
	if err != nil {
		return nil, err
	}
	return p.accept(ref, raw)
}

// accept takes what the member sent for an object, when it is that object and not too large.
func (p *planner) accept(ref model.Ref, raw []byte) (*found, error) {
	size, err := within(raw, objectLimits, fmt.Sprintf("%s %q of cluster %q", ref.GVK.Kind, ref.Name, p.req.Cluster))
	if err != nil {
		return nil, err
	}
	if p.size = p.size.Plus(size); p.size.Bytes > planLimits.Bytes || p.size.Values > planLimits.Values {
		return nil, refuse("%s %q and what it needs have %d bytes and %d values up to %s %q; at most %d bytes and %d values can be promoted at once",
			p.req.Ref.GVK.Kind, p.req.Ref.Name, p.size.Bytes, p.size.Values, ref.GVK.Kind, ref.Name, planLimits.Bytes, planLimits.Values)
	}
	content, err := decode(raw)
	if err != nil {
		return nil, err
	}
	if err := p.asked(ref, content); err != nil {
		return nil, err
	}
	if !p.req.Compare {
		raw = nil
	}
	return &found{ref: ref, raw: raw, content: content}, nil
}

// within counts what a member sent, before anything is made of it.
func within(raw []byte, limits boundedyaml.Limits, what string) (boundedyaml.Size, error) {
	size, err := boundedyaml.JSON(raw, limits)
	if err != nil {
		return size, refuse("%s cannot be promoted: it has %d bytes, and %s", what, len(raw), problem(err))
	}
	return size, nil
}

// problem is an error of boundedyaml without the line, which JSON of one line tells nothing by.
func problem(err error) string {
	_, text, _ := strings.Cut(err.Error(), ": ")
	return text
}

// asked fails unless an object is the one that was asked for: its template is made under the name that it gives itself.
func (p *planner) asked(ref model.Ref, object map[string]any) error {
	metadata := mapOf(object, "metadata")
	for _, is := range []struct{ field, got, want string }{
		{"apiVersion", textOf(object, "apiVersion"), ref.APIVersion()},
		{"kind", textOf(object, "kind"), ref.GVK.Kind},
		{"metadata.namespace", textOf(metadata, "namespace"), ref.Namespace},
		{"metadata.name", textOf(metadata, "name"), ref.Name},
	} {
		if is.got != is.want {
			return refuse("cluster %q answers with another object than %s %q: its %s is %.100q, not %q", p.req.Cluster, ref.GVK.Kind, ref.Name, is.field, is.got, is.want)
		}
	}
	return nil
}
