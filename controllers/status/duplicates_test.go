package status

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
)

func holds(identity string, members map[string]string) holdings {
	return holdings{identity: identity, members: members}
}

func TestWhoHoldsTheSameClusterIsWoken(t *testing.T) {
	d := newDuplicates()
	affected := func(want []string, got []string) {
		t.Helper()
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("woken (-want +got):\n%s", diff)
		}
	}
	said := func(instance, want string) {
		t.Helper()
		if got := d.of(instance); got != want {
			t.Errorf("said of %s: want %s, got %s", instance, want, got)
		}
	}
	affected(nil, d.set("asia", holds("A", map[string]string{"1": "hangzhou", "2": "tokyo", "": "nameless"})))
	affected(nil, d.set("europe", holds("E", map[string]string{"3": "paris", "": "nameless"})))
	said("asia", "")

	affected([]string{"asia"}, d.set("europe", holds("E", map[string]string{"3": "paris", "1": "hz"})))
	said("asia", `hangzhou is also held by instance "europe" as hz`)
	said("europe", `hz is also held by instance "asia" as hangzhou`)
	affected(nil, d.set("europe", holds("E", map[string]string{"3": "paris", "1": "hz"})))

	// A third one, with the same name.
	affected([]string{"asia", "europe"}, d.set("africa", holds("F", map[string]string{"1": "hangzhou"})))
	said("asia", `hangzhou is also held by instance "africa"; hangzhou is also held by instance "europe" as hz`)
	affected([]string{"africa", "asia"}, d.set("europe", holds("E", map[string]string{"3": "paris", "1": "renamed"})))
	affected([]string{"asia", "europe"}, d.remove("africa"))
	affected(nil, d.remove("africa"))

	// The same Karmada is said once, not for each member.
	affected([]string{"asia", "europe"}, d.set("copy", holds("A", map[string]string{"1": "hangzhou", "2": "tokyo"})))
	said("asia", `instance "copy" is the same Karmada; hangzhou is also held by instance "europe" as renamed`)
	affected([]string{"asia", "europe"}, d.remove("copy"))
	affected([]string{"asia"}, d.set("europe", holds("E", map[string]string{"3": "paris"})))
	said("asia", "")
	said("europe", "")
	d.remove("asia")
	d.remove("europe")
	if len(d.byInstance)+len(d.holders)+len(d.sameKarmada) > 0 {
		t.Errorf("left of instances that went: %+v", d)
	}
}

func TestANewLeaderDoesNotClearWhatItCannotCompare(t *testing.T) {
	types := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(types); err != nil {
		t.Fatal(err)
	}
	before := []metav1.Condition{{
		Type: v1alpha1.ConditionMembersUnique, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonHeldTwice,
		Message: `hangzhou is also held by instance "europe" as hz`,
	}}
	asia := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: "asia"}, Status: v1alpha1.InstanceStatus{Conditions: before}}
	for name, tt := range map[string]struct {
		there, known []string
		found        string
		want         bool
	}{
		"the other is not known yet":           {there: []string{"asia", "europe"}, known: []string{"asia"}, want: false},
		"the other is known":                   {there: []string{"asia", "europe"}, known: []string{"asia", "europe"}, want: true},
		"the other is no more":                 {there: []string{"asia"}, known: []string{"asia"}, want: true},
		"somebody unrelated is not known":      {there: []string{"asia", "africa"}, known: []string{"asia"}, want: true},
		"what is known says so by itself":      {there: []string{"asia", "europe"}, known: []string{"asia"}, found: "it is", want: true},
		"one whose name is part of the others": {there: []string{"asia", "euro"}, known: []string{"asia"}, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := fake.NewClientBuilder().WithScheme(types)
			for _, name := range tt.there {
				b = b.WithObjects(&v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name}})
			}
			c := &Controller{Base: controllers.Base{Client: b.Build()}, duplicates: newDuplicates()}
			for i, name := range tt.known {
				c.duplicates.set(name, holds(fmt.Sprint(i), nil))
			}
			got, err := c.canCompare(t.Context(), asia, tt.found)
			if err != nil || got != tt.want {
				t.Errorf("want %v, got %v (%v)", tt.want, got, err)
			}
		})
	}
}
