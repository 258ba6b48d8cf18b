package promotion

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/boundedyaml"
)

// Member reads the cluster that an object is promoted from: at most so many bytes of an object, and at most so many objects and bytes of a
// list. Who runs the cluster may answer with anything.
type Member interface {
	Get(ctx context.Context, ref model.Ref, most int) ([]byte, error)
	List(ctx context.Context, kind schema.GroupVersionResource, namespace string, objects, most int) ([]byte, error)
}

// Federation reads the instance that an object is promoted into.
type Federation interface {
	// Read returns an object; nil when there is none.
	Read(ctx context.Context, ref model.Ref) ([]byte, error)
	// Policies returns the PropagationPolicies of a namespace, or the ClusterPropagationPolicies where it is empty, as a list in JSON.
	Policies(ctx context.Context, namespace string) ([]byte, error)
}

// Object is one that is to be promoted.
type Object struct {
	// Ref is where its template is to be.
	Ref model.Ref
	// Was is the object as the member has it, where that was asked for, and Template what it is to be in the federation.
	Was      []byte
	Template map[string]any
	Policy   map[string]any
	// Made says that this promotion made the template before.
	Made bool
}

// Left is an object that is needed, and not promoted.
type Left struct {
	Ref model.Ref
	// Why it is left.
	Why string
	// Federated says that the federation has one of that name.
	Federated bool
}

// Plan is what promoting an object comes to: what is needed first, and the object itself last.
type Plan struct {
	Objects []Object
	Left    []Left
}

// Request says what is to be promoted.
type Request struct {
	// Ref is the object, in the instance; Cluster is where it is now.
	Ref     model.Ref
	Cluster string
	// UID of the object that is meant; empty for any of that name.
	UID string
	// Dependencies are promoted, too.
	Dependencies bool
	// Compare keeps what each object was, to be compared with its template.
	Compare bool
	// Mark is an annotation on all that is made, so that what this promotion made before is told from what was there.
	MarkKey, Mark string
}

// mostServices is how many Services of a namespace are looked at.
const mostServices = 500

var services = schema.GroupVersionResource{Version: "v1", Resource: "services"}

// ConflictError is a template that is there already.
type ConflictError struct{ Message string }

func (e *ConflictError) Error() string { return e.Message }

// Make decides what promoting an object comes to. A *RefusedError says why it cannot be promoted, a *ConflictError what stands in its
// place; other errors are those of the readers.
func Make(ctx context.Context, in Member, into Federation, absent func(error) bool, req Request) (*Plan, error) {
	policies, err := policiesOf(ctx, into, req.Ref.Namespace)
	if err != nil {
		return nil, err
	}
	p := &planner{in: in, into: into, absent: absent, req: req, policies: policies, plan: &Plan{}}
	object, err := p.object(ctx)
	if err != nil {
		return nil, err
	}
	if req.Dependencies {
		if err := p.dependencies(ctx, object.content); err != nil {
			return nil, err
		}
	}
	p.add(object)
	return p.plan, nil
}

type planner struct {
	in       Member
	into     Federation
	absent   func(error) bool
	req      Request
	policies []map[string]any
	plan     *Plan
	// size is that of all that was read of the member and is kept.
	size boundedyaml.Size
}

// object reads what is to be promoted, and checks it.
func (p *planner) object(ctx context.Context) (*found, error) {
	object, err := p.read(ctx, p.req.Ref)
	if err != nil {
		return nil, err
	}
	if uid := textOf(mapOf(object.content, "metadata"), "uid"); p.req.UID != "" && uid != p.req.UID {
		return nil, &ConflictError{fmt.Sprintf("%s %q of cluster %q is not the object that is meant: its uid is %s", p.req.Ref.GVK.Kind, p.req.Ref.Name, p.req.Cluster, uid)}
	}
	is, err := p.into.Read(ctx, p.req.Ref)
	if err != nil {
		return nil, err
	}
	switch {
	case is != nil && !p.made(is):
		return nil, &ConflictError{fmt.Sprintf("the instance has %s %q already; delete that template, or change it and its policy", p.req.Ref.GVK.Kind, p.req.Ref.Name)}
	case is == nil: // of this promotion's own, Karmada may have placed it by now
		return object, Promotable(p.req.Ref, object.content)
	}
	object.made = true
	return object, nil
}

// made reports whether this promotion made a template.
func (p *planner) made(raw []byte) bool {
	object, err := decode(raw)
	return err == nil && p.req.Mark != "" && textOf(mapOf(mapOf(object, "metadata"), "annotations"), p.req.MarkKey) == p.req.Mark
}

// dependencies adds what an object needs.
func (p *planner) dependencies(ctx context.Context, object map[string]any) error {
	needed := Dependencies(p.req.Ref, object)
	if len(needed) > MostDependencies {
		return refuse("%s %q needs %d objects; at most %d can be promoted with it", p.req.Ref.GVK.Kind, p.req.Ref.Name, len(needed), MostDependencies)
	}
	for _, d := range needed {
		object, err := p.read(ctx, d.Ref)
		switch {
		case err != nil && p.absent(err):
			why := "the cluster has none"
			if d.Optional {
				why = "the cluster has none, and Pods run without it"
			}
			p.left(d.Ref, why, false)
		case err != nil:
			return err
		default:
			if err := p.dependency(ctx, object); err != nil {
				return err
			}
		}
	}
	return p.services(ctx, object)
}

// dependency adds one object, unless it is to stay as it is.
func (p *planner) dependency(ctx context.Context, object *found) error {
	is, err := p.into.Read(ctx, object.ref)
	if err != nil {
		return err
	}
	if object.made = is != nil && p.made(is); is != nil && !object.made {
		p.left(object.ref, "the instance has one of that name, which stays as it is", true)
		return nil
	}
	if refused := (*RefusedError)(nil); is == nil && errors.As(Promotable(object.ref, object.content), &refused) {
		p.left(object.ref, refused.Message, false)
		return nil
	}
	p.add(object)
	return nil
}

// services adds the Services that select the Pods of an object.
func (p *planner) services(ctx context.Context, object map[string]any) error {
	if !MakesPods(object) {
		return nil
	}
	raw, err := p.in.List(ctx, services, p.req.Ref.Namespace, mostServices, MostBytes)
	if err != nil {
		return err
	}
	if _, err := within(raw, planLimits, fmt.Sprintf("the list of Services of namespace %q in cluster %q", p.req.Ref.Namespace, p.req.Cluster)); err != nil {
		return err
	}
	list, err := decode(raw)
	if err != nil {
		return err
	}
	for _, s := range maps(list, "items") {
		name := textOf(mapOf(s, "metadata"), "name")
		if name == "" || !Selects(s, object) {
			continue
		}
		if len(p.plan.Objects) >= MostDependencies {
			return refuse("%s %q needs more than %d objects", p.req.Ref.GVK.Kind, p.req.Ref.Name, MostDependencies)
		}
		s["apiVersion"], s["kind"] = "v1", ServiceKind.Kind // items of lists are without
		whole, err := encode(s)
		if err != nil {
			return err
		}
		service, err := p.accept(model.Ref{Instance: p.req.Ref.Instance, GVK: ServiceKind, Namespace: p.req.Ref.Namespace, Name: name}, whole)
		if err != nil {
			return err
		}
		if err := p.dependency(ctx, service); err != nil {
			return err
		}
	}
	if textOf(mapOf(list, "metadata"), "continue") != "" {
		p.left(model.Ref{Instance: p.req.Ref.Instance, GVK: ServiceKind, Namespace: p.req.Ref.Namespace},
			fmt.Sprintf("the namespace has more than %d Services, of which only these were looked at", mostServices), false)
	}
	return nil
}

func (p *planner) left(ref model.Ref, why string, federated bool) {
	p.plan.Left = append(p.plan.Left, Left{Ref: ref, Why: why, Federated: federated})
}

// add adds an object with its policy.
func (p *planner) add(object *found) {
	template := Template(object.content)
	policy := Policy(object.ref, p.req.Cluster, Priority(object.ref, p.policies), true)
	if p.req.Mark != "" {
		mark(template, p.req.MarkKey, p.req.Mark)
		mark(policy, p.req.MarkKey, p.req.Mark)
	}
	p.plan.Objects = append(p.plan.Objects, Object{Ref: object.ref, Was: object.raw, Template: template, Policy: policy, Made: object.made})
}

// mark annotates an object.
func mark(object map[string]any, key, value string) {
	metadata := mapOf(object, "metadata")
	annotations := mapOf(metadata, "annotations")
	if annotations == nil {
		annotations = map[string]any{}
		metadata["annotations"] = annotations
	}
	annotations[key] = value
}

func policiesOf(ctx context.Context, into Federation, namespace string) ([]map[string]any, error) {
	raw, err := into.Policies(ctx, namespace)
	if err != nil {
		return nil, err
	}
	list, err := decode(raw)
	if err != nil {
		return nil, err
	}
	return maps(list, "items"), nil
}

// decode reads an object. One without metadata has empty metadata, so that nothing that reads an odd one panics.
func decode(raw []byte) (map[string]any, error) {
	var object map[string]any
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return nil, fmt.Errorf("decode an object of a member: %w", err)
	}
	if object == nil {
		object = map[string]any{}
	}
	if mapOf(object, "metadata") == nil {
		object["metadata"] = map[string]any{}
	}
	return object, nil
}

func encode(object map[string]any) ([]byte, error) {
	raw, err := utiljson.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encode an object of a member: %w", err)
	}
	return raw, nil
}
