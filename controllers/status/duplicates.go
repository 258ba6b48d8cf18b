package status

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// holdings is what one instance holds.
type holdings struct {
	// identity of its Karmada.
	identity string
	// members by the id of their cluster.
	members map[string]string
}

// duplicates knows which clusters each instance holds, by the ids that the clusters have, and so which
// are held twice. It is filled from what the controllers watch anyway.
type duplicates struct {
	mu         sync.Mutex
	byInstance map[string]holdings
	// holders are the instances that hold a cluster, by its id.
	holders map[string]map[string]bool
	// sameKarmada are the instances of one Karmada, by its identity.
	sameKarmada map[string]map[string]bool
}

func newDuplicates() *duplicates {
	return &duplicates{byInstance: map[string]holdings{}, holders: map[string]map[string]bool{}, sameKarmada: map[string]map[string]bool{}}
}

// set records what an instance holds, and returns the other instances that this affects.
func (d *duplicates) set(instance string, now holdings) (affected []string) {
	now.members = maps.Clone(now.members)
	delete(now.members, "")
	return d.replace(instance, &now)
}

// remove drops an instance, and returns the other instances that this affects.
func (d *duplicates) remove(instance string) (affected []string) { return d.replace(instance, nil) }

func (d *duplicates) replace(instance string, now *holdings) (affected []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before, known := d.byInstance[instance]
	touched := map[string]bool{}
	touch := func(index map[string]map[string]bool, id string) {
		maps.Copy(touched, index[id])
	}
	var after holdings
	if now != nil {
		after = *now
		d.byInstance[instance] = after
	} else {
		delete(d.byInstance, instance)
	}
	if known && now != nil && before.identity == after.identity && maps.Equal(before.members, after.members) {
		return nil
	}
	for id, name := range before.members {
		if after.members[id] != name {
			touch(d.holders, id)
			drop(d.holders, id, instance)
		}
	}
	for id, name := range after.members {
		if before.members[id] != name {
			add(d.holders, id, instance)
			touch(d.holders, id)
		}
	}
	if before.identity != after.identity {
		touch(d.sameKarmada, before.identity)
		drop(d.sameKarmada, before.identity, instance)
		if after.identity != "" {
			add(d.sameKarmada, after.identity, instance)
			touch(d.sameKarmada, after.identity)
		}
	}
	delete(touched, instance)
	return slices.Sorted(maps.Keys(touched))
}

func add(index map[string]map[string]bool, id, instance string) {
	if index[id] == nil {
		index[id] = map[string]bool{}
	}
	index[id][instance] = true
}

func drop(index map[string]map[string]bool, id, instance string) {
	delete(index[id], instance)
	if len(index[id]) == 0 {
		delete(index, id)
	}
}

// known reports whether what an instance holds is known.
func (d *duplicates) known(instance string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.byInstance[instance]
	return ok
}

// of returns which of an instance's members others hold as well; empty when none is.
func (d *duplicates) of(instance string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	own := d.byInstance[instance]
	var said []string
	for _, other := range slices.Sorted(maps.Keys(d.sameKarmada[own.identity])) {
		if other != instance {
			said = append(said, fmt.Sprintf("instance %q is the same Karmada", other))
		}
	}
	var shared []string
	for id, name := range own.members {
		for other := range d.holders[id] {
			theirs := d.byInstance[other]
			if other == instance || own.identity != "" && theirs.identity == own.identity {
				continue
			}
			text := fmt.Sprintf("%s is also held by instance %q", name, other)
			if theirs.members[id] != name {
				text += " as " + theirs.members[id]
			}
			shared = append(shared, text)
		}
	}
	slices.Sort(shared)
	return strings.Join(append(said, shared...), "; ")
}
