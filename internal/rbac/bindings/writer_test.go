package bindings_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/rbac/bindings"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// hostWriter is a writer to a host cluster, with a client to look at it.
func hostWriter(t *testing.T) (*bindings.Writer, client.Client) {
	t.Helper()
	host := testenv.Start(t, testenv.KairshipDefinitions)
	authorizer := rbac.NewAuthorizer(nil)
	w, err := bindings.NewWriter(host.Config, authorizer)
	if err != nil {
		t.Fatal(err)
	}
	follower, err := bindings.New(host.Config, authorizer, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = follower.Run(ctx) })
	t.Cleanup(func() { cancel(); running.Wait() })
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	c, err := client.New(host.Config, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	return w, c
}

func bindingOf(name, subject string, role v1alpha1.AccessRole) *v1alpha1.AccessBinding {
	return &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:" + subject}, Role: role}}
}

func codeOf(err error) model.Code {
	e := (*model.Error)(nil)
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Whoever gives a role and reads who has one finds it, and no longer once it is taken.
func TestWhatWasWrittenIsKnownToWhoReadsNext(t *testing.T) {
	w, _ := hostWriter(t)
	if _, err := w.Create(t.Context(), bindingOf("stays", "olga", v1alpha1.RoleAdmin), false); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		made, err := w.Create(t.Context(), bindingOf("comes", "vera", v1alpha1.RoleViewer), false)
		if err != nil {
			t.Fatal(err)
		}
		if !w.Holds("comes", made.UID) {
			t.Fatal("it was made and is not known")
		}
		if _, err := w.Create(t.Context(), bindingOf("tried", "vera", v1alpha1.RoleViewer), true); err != nil {
			t.Fatal(err)
		}
		if err := w.Delete(t.Context(), made, false); err != nil {
			t.Fatal(err)
		}
		if w.Holds("comes", made.UID) {
			t.Fatal("it was deleted and is still known")
		}
	}
}

// Owners who take each other's roles at the same moment: somebody stays an owner, however many they are.
func TestOwnersWhoTakeEachOthersRoleLeaveOne(t *testing.T) {
	w, c := hostWriter(t)
	owners := []string{"olga", "oskar", "otto"}
	for round := range 8 {
		var all []*model.AccessBinding
		for _, name := range owners[:2+round%2] {
			made, err := w.Create(t.Context(), bindingOf(name, name, v1alpha1.RoleAdmin), false)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, made)
		}
		var together sync.WaitGroup
		for _, b := range all {
			together.Go(func() {
				if err := w.Delete(t.Context(), b, false); err != nil && codeOf(err) != model.CodeConflict && codeOf(err) != model.CodeBadUserInput && codeOf(err) != model.CodeNotFound {
					t.Error(err)
				}
			})
		}
		together.Wait()
		var left v1alpha1.AccessBindingList
		if err := c.List(t.Context(), &left); err != nil {
			t.Fatal(err)
		}
		if len(left.Items) == 0 {
			t.Fatalf("round %d: nobody is an owner any more", round)
		}
		for i := range left.Items {
			if err := c.Delete(t.Context(), &left.Items[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestTheLastOwnerStays(t *testing.T) {
	w, _ := hostWriter(t)
	olga, err := w.Create(t.Context(), bindingOf("olga", "olga", v1alpha1.RoleAdmin), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Create(t.Context(), bindingOf("vera", "vera", v1alpha1.RoleViewer), false); err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(t.Context(), olga, false); codeOf(err) != model.CodeBadUserInput || !strings.Contains(err.Error(), "last owner") {
		t.Errorf("%v, want a BAD_USER_INPUT about the last owner", err)
	}
}

// What was checked is what is taken: a binding that gives more by now stays.
func TestABindingIsTakenAsItWasChecked(t *testing.T) {
	w, c := hostWriter(t)
	b := bindingOf("ed", "ed", v1alpha1.RoleViewer)
	checked, err := w.Create(t.Context(), b, false)
	if err != nil {
		t.Fatal(err)
	}
	b.Spec.Role = v1alpha1.RoleEditor
	if err := c.Update(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(t.Context(), checked, false); codeOf(err) != model.CodeConflict {
		t.Errorf("a binding that was widened: %v, want a CONFLICT", err)
	}
	var there v1alpha1.AccessBinding
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(b), &there); err != nil {
		t.Errorf("it is gone: %v", err)
	}
	if err := w.Delete(t.Context(), w.ModelOf(&there), false); err != nil {
		t.Errorf("as it is now: %v", err)
	}
}

// A role that is being taken is not there already.
func TestARoleThatIsBeingTakenIsNotThere(t *testing.T) {
	w, c := hostWriter(t)
	b := bindingOf("ed", "ed", v1alpha1.RoleViewer)
	b.Finalizers = []string{"kairship.io/test"}
	if err := c.Create(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	again := func() *model.Error {
		_, err := w.Create(t.Context(), bindingOf("ed", "ed", v1alpha1.RoleViewer), false)
		e := (*model.Error)(nil)
		if !errors.As(err, &e) || e.Code != model.CodeConflict {
			t.Fatalf("%v, want a CONFLICT", err)
		}
		return e
	}
	if e := again(); e.Retryable {
		t.Errorf("a binding that is there: %+v", e)
	}
	if err := c.Delete(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if e := again(); !e.Retryable || !strings.Contains(e.Message, "being taken away") {
		t.Errorf("a binding that is being deleted: %+v", e)
	}
}
