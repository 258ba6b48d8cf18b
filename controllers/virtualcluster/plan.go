package virtualcluster

import (
	"maps"
	"slices"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

// observed is all that a plan depends on.
type observed struct {
	instance *v1alpha1.Instance
	config   *kubeconfig.Credential
	// identity of the Karmada that answers; empty when none does.
	identity string
	// members by name, with the UIDs of their Cluster objects.
	members map[string]string
	// membersKnown is false as long as Karmada has not listed its members.
	membersKnown bool
	// registered PediaClusters by the name of the member; the control plane has the empty name.
	registered map[string]registered
}

// plan is what to do. Its lists are in order and hold members' names, empty for the control plane.
type plan struct {
	// rebuild says that what is registered belongs to another Karmada, or to another member of the same name.
	// Clusterpedia would keep the rows of both, so the old one is removed first.
	rebuild bool
	// secret says that the credential may be handed to Clusterpedia.
	secret bool
	// apply are to be registered, or brought up to date.
	apply []source
	// probe are new: they are registered once they answer.
	probe []source
	// remove are to be deleted: their source is another one now.
	remove []string
	// gone are to be deleted as well, once Karmada has confirmed that it has no such member.
	gone []string
	// leaving are being dropped by Clusterpedia.
	leaving []string
}

// decide plans the next step for an instance that is not being deleted.
func decide(o observed) plan {
	var p plan
	names := slices.Sorted(maps.Keys(o.registered))
	for _, name := range names {
		if o.registered[name].deleting() {
			p.leaving = append(p.leaving, name)
		}
	}
	root, rooted := o.registered[""]

	// 1. It is not known who answers. What is registered stays; a new credential for the same address is passed on, as
	// it may be what is missing.
	if o.identity == "" {
		p.secret = rooted && !root.deleting() && address(root) == o.config.Host
		return p
	}

	// 2. Another Karmada answers than the one that was registered: everything of the old one is removed, and until it
	// is gone the new credential is not passed to connections that lead to the old one.
	for _, name := range names {
		if r := o.registered[name]; r.source.karmada != o.identity {
			p.rebuild = true
			if !r.deleting() {
				p.remove = append(p.remove, name)
			}
		}
	}
	if p.rebuild {
		return p
	}

	// 3. The control plane.
	p.secret = true
	if !rooted || !root.deleting() {
		p.apply = append(p.apply, source{karmada: o.identity})
	}
	if !o.membersKnown {
		return p
	}

	// 4. Members that are there.
	for _, name := range slices.Sorted(maps.Keys(o.members)) {
		from := source{cluster: name, karmada: o.identity, uid: o.members[name]}
		switch r, ok := o.registered[name]; {
		case !ok:
			p.probe = append(p.probe, from)
		case r.source != from:
			p.rebuild = true
			if !r.deleting() {
				p.remove = append(p.remove, name)
			}
		case !r.deleting():
			p.apply = append(p.apply, from)
		}
	}

	// 5. Members that are no longer there.
	for _, name := range names {
		if _, ok := o.members[name]; !ok && name != "" && !o.registered[name].deleting() {
			p.gone = append(p.gone, name)
		}
	}
	return p
}

func address(r registered) string {
	spec, _ := r.object.Object["spec"].(map[string]any)
	s, _ := spec["apiserver"].(string)
	return s
}
