package batch

import (
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

func TestARowIsInTheBatchThatItJoinedLast(t *testing.T) {
	o := NewOperation(func(row any) any { return row })
	pods := []*model.Pod{{}, {}, {}}
	nodes := []*model.ClusterNode{{}, {}}
	Join(o, pods)
	Join(o, pods[1:])
	Join(o, []any{pods[2], nodes[0]}) // a list of several types
	first, second, mixed := o.Batch(pods[0]), o.Batch(pods[1]), o.Batch(pods[2])
	if first == nil || second == nil || mixed == nil || first == second || second == mixed || o.Batch(nodes[0]) != mixed {
		t.Fatalf("the batches are %p, %p, %p and %p", first, second, mixed, o.Batch(nodes[0]))
	}
	if n := len(first.members); n != 3 {
		t.Errorf("the first batch has %d members", n)
	}
	if o.Batch(nodes[1]) != nil {
		t.Error("a row that came alone is in a batch")
	}
	Join(o, nodes)
	if b := o.Batch(nodes[0]); b == mixed || b != o.Batch(nodes[1]) {
		t.Errorf("after another batch: %p, want %p", b, o.Batch(nodes[1]))
	}
	// What follows a row is in its batch, whatever it joined before.
	claim := &model.PolicyClaim{}
	Join(o, []*model.PolicyClaim{claim})
	o.Follow(claim, pods[0])
	if o.Batch(claim) != first {
		t.Error("a row does not follow")
	}
	o.Follow(nodes[1], &model.Pod{})
	if o.Batch(nodes[1]) == nil {
		t.Error("a row left its batch for one that came alone")
	}
	Join(o, []*model.Pod{})
}

func TestRowsOfOneTypeDoNotTakeThoseOfAnotherBack(t *testing.T) {
	o := NewOperation(func(row any) any { return row })
	pod, node := &model.Pod{}, &model.ClusterNode{}
	Join(o, []any{pod, node})
	Join(o, []*model.ClusterNode{node})
	last := o.Batch(node)
	if o.Batch(pod) == last || o.Batch(node) != last {
		t.Error("a batch of pods took the node back")
	}
}
