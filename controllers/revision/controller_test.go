package revision_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/transport"
	"k8s.io/utils/clock"
	testclock "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/controllers/revision"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func kubeconfigOf(t *testing.T) []byte {
	t.Helper()
	return testenv.NewKarmada(t, karmada).Kubeconfig("kairship")
}

func TestEveryTemplateHasARevisionThatBelongsToIt(t *testing.T) {
	start(t, nil, clock.RealClock{})
	web := deployment("web", "a:1")
	put(t, web, statefulSet("web", "b:1"), daemonSet("web", "c:1"), cronJob("report", "d:1"))
	suite.Attach(t, host, "asia", kubeconfigOf(t))
	reaches(t, "CronJob report 1 d:1", "DaemonSet web 1 c:1", "Deployment web 1 a:1", "StatefulSet web 1 b:1")

	for _, r := range recorded(t.Context()) {
		owner := r.OwnerReferences[0]
		if owner.Controller == nil || !*owner.Controller || string(owner.UID) != r.Labels[model.LabelWorkloadUID] || owner.Kind != r.Labels[model.LabelWorkloadKind] {
			t.Errorf("%s belongs to %+v and is labelled %v", r.Name, owner, r.Labels)
		}
		if !strings.HasPrefix(r.Name, owner.Name+"-") {
			t.Errorf("the revision of %s is called %s", owner.Name, r.Name)
		}
		if len(r.ManagedFields) != 1 || r.ManagedFields[0].Manager != "kairship-revision" {
			t.Errorf("%s was written by %+v", r.Name, r.ManagedFields)
		}
	}
	// What is recorded can be read, and says no more than the template.
	raw := recorded(t.Context())[2].Data.Raw
	decoded, err := objects.DecodeRevision("asia", "", []byte(`{"metadata":{"name":"x"},"data":`+string(raw)+`}`))
	if err != nil || !slices.Equal(decoded.Images, []string{"a:1"}) || !strings.HasPrefix(string(decoded.PodTemplate), `{"metadata":{"labels"`) {
		t.Errorf("the revision reads %+v (%v) from %s", decoded, err, raw)
	}
	if strings.Contains(string(raw), "replicas") {
		t.Errorf("the revision keeps more than the pod template: %s", raw)
	}
}

func TestOnlyAChangeOfTheTemplateIsARevision(t *testing.T) {
	seen := &requests{}
	start(t, seen.wrap, clock.RealClock{})
	web := deployment("web", "a:1")
	put(t, web)
	suite.Attach(t, host, "asia", kubeconfigOf(t))
	reaches(t, "Deployment web 1 a:1")
	seen.take()

	change(t, web, func(d *appsv1.Deployment) { d.Spec.Replicas = ptr.To[int32](5) })
	testenv.Eventually(t, func() string {
		if asked := seen.take(); len(asked) == 0 {
			return "the change was not looked at"
		}
		return ""
	})
	change(t, web, image("a:2"))
	reaches(t, "Deployment web 1 a:1", "Deployment web 2 a:2")
	if asked := seen.take(); len(asked) > 3 {
		t.Errorf("a change costs %v", asked)
	}

	// A status says nothing about the template.
	web.Status.ReadyReplicas, web.Status.Replicas = 1, 5
	if err := karmada.Client.Status().Update(t.Context(), web); err != nil {
		t.Fatal(err)
	}
	change(t, web, image("a:3"))
	reaches(t, "Deployment web 1 a:1", "Deployment web 2 a:2", "Deployment web 3 a:3")
	for _, line := range seen.take() {
		if strings.HasPrefix(line, "PUT") || strings.HasPrefix(line, "PATCH") && !strings.Contains(line, "/controllerrevisions/") {
			t.Errorf("it wrote a workload: %s", line)
		}
	}
}

func TestGoingBackGivesTheFormerRevisionANewNumber(t *testing.T) {
	start(t, nil, clock.RealClock{})
	web := deployment("web", "a:1")
	put(t, web)
	suite.Attach(t, host, "asia", kubeconfigOf(t))
	reaches(t, "Deployment web 1 a:1")
	first := recorded(t.Context())[0]
	change(t, web, image("a:2"))
	reaches(t, "Deployment web 1 a:1", "Deployment web 2 a:2")
	change(t, web, image("a:1"))
	reaches(t, "Deployment web 2 a:2", "Deployment web 3 a:1")
	again, second := recorded(t.Context())[1], recorded(t.Context())[0]
	if again.UID != first.UID {
		t.Errorf("it is another object: %s, was %s", again.Name, first.Name)
	}
	// It was made before the second one, and is current since after it.
	since := func(r appsv1.ControllerRevision) time.Time {
		at, err := time.Parse(time.RFC3339Nano, r.Annotations[model.AnnotationRevisionSince])
		if err != nil {
			t.Error(err)
		}
		return at
	}
	if first, second, again := since(first), since(second), since(again); !second.After(first) || !again.After(second) {
		t.Errorf("they are current since %s, %s and %s", first, second, again)
	}
}

func TestTheHistoryIsBounded(t *testing.T) {
	start(t, nil, clock.RealClock{})
	web := deployment("web", "a:1")
	put(t, web)
	suite.Attach(t, host, "asia", kubeconfigOf(t))
	for n := range 4 {
		change(t, web, image(fmt.Sprintf("a:%d", n+1)))
		testenv.Eventually(t, func() string {
			if h := history(t.Context()); len(h) == 0 || h[len(h)-1] != fmt.Sprintf("Deployment web %d a:%d", n+1, n+1) {
				return fmt.Sprintf("revision %d is not there: %v", n+1, h)
			}
			return ""
		})
	}
	reaches(t, "Deployment web 2 a:2", "Deployment web 3 a:3", "Deployment web 4 a:4")

	setLimit(t, ptr.To[int32](1))
	reaches(t, "Deployment web 4 a:4")
	setLimit(t, ptr.To[int32](0))
	reaches(t)
	testenv.Eventually(t, func() string {
		if i := instanceOf(t); slices.Contains(i.Finalizers, revision.Finalizer) {
			return "the instance is still held"
		}
		return ""
	})
	setLimit(t, nil)
	reaches(t, "Deployment web 1 a:4")
}

func instanceOf(t *testing.T) *v1alpha1.Instance {
	t.Helper()
	var i v1alpha1.Instance
	if err := host.Client.Get(t.Context(), client.ObjectKey{Name: "asia"}, &i); err != nil {
		t.Fatal(err)
	}
	return &i
}

func setLimit(t *testing.T, limit *int32) {
	t.Helper()
	testenv.Eventually(t, func() string {
		i := instanceOf(t)
		i.Spec.Settings = &v1alpha1.InstanceSettings{RevisionHistoryLimit: limit}
		if err := host.Client.Update(t.Context(), i); err != nil {
			return err.Error()
		}
		return ""
	})
}

func TestTheCauseOfAChangeIsKept(t *testing.T) {
	start(t, nil, clock.RealClock{})
	web := deployment("web", "a:1")
	put(t, web)
	suite.Attach(t, host, "asia", kubeconfigOf(t))
	reaches(t, "Deployment web 1 a:1")
	// Told afterwards, as kubectl annotate does.
	change(t, web, func(d *appsv1.Deployment) {
		metav1.SetMetaDataAnnotation(&d.ObjectMeta, model.AnnotationChangeCause, "first")
	})
	reaches(t, "Deployment web 1 a:1 because first")
	change(t, web, func(d *appsv1.Deployment) {
		image("a:2")(d)
		d.Annotations[model.AnnotationChangeCause] = "second"
	})
	reaches(t, "Deployment web 1 a:1 because first", "Deployment web 2 a:2 because second")
	change(t, web, func(d *appsv1.Deployment) { delete(d.Annotations, model.AnnotationChangeCause) })
	reaches(t, "Deployment web 1 a:1 because first", "Deployment web 2 a:2")
}

func TestACurrentRevisionThatSomebodyDeletesIsRecordedAgain(t *testing.T) {
	now := testclock.NewFakePassiveClock(time.Now())
	start(t, nil, now)
	web := deployment("web", "a:1")
	put(t, web)
	suite.Attach(t, host, "asia", kubeconfigOf(t))
	reaches(t, "Deployment web 1 a:1")
	r := recorded(t.Context())[0]
	if err := karmada.Client.Delete(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		now.SetTime(now.Now().Add(time.Second))
		return is(t.Context(), "Deployment web 1 a:1")
	})
	if again := recorded(t.Context())[0]; again.UID == r.UID {
		t.Error("it was never gone")
	}
}

func TestRevisionsOfAWorkloadThatIsGoneGoAsWell(t *testing.T) {
	now := testclock.NewFakePassiveClock(time.Now())
	start(t, nil, now)
	web, api := deployment("web", "a:1"), deployment("api", "b:1")
	api.Spec.Replicas = ptr.To[int32](1)
	put(t, web, api)
	suite.Attach(t, host, "asia", kubeconfigOf(t))
	reaches(t, "Deployment api 1 b:1", "Deployment web 1 a:1")
	if err := karmada.Client.Delete(t.Context(), web); err != nil {
		t.Fatal(err)
	}
	// This API server has no garbage collector. The looks that api gives rise to pass the time that one has.
	testenv.Eventually(t, func() string {
		now.SetTime(now.Now().Add(time.Minute))
		change(t, api, func(d *appsv1.Deployment) { *d.Spec.Replicas++ })
		return is(t.Context(), "Deployment api 1 b:1")
	})
}

func TestADetachedKarmadaIsLeftAsItWas(t *testing.T) {
	start(t, nil, clock.RealClock{})
	foreign := &appsv1.ControllerRevision{ObjectMeta: meta("theirs"), Revision: 1}
	foreign.Data.Raw = []byte(`{"spec":{}}`)
	put(t, deployment("web", "a:1"), statefulSet("web", "b:1"), foreign)
	suite.Attach(t, host, "asia", kubeconfigOf(t))
	reaches(t, "Deployment web 1 a:1", "StatefulSet web 1 b:1", "nothing 1 ")
	if err := host.Client.Delete(t.Context(), instanceOf(t)); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, isGone)
	if problem := is(t.Context(), "nothing 1 "); problem != "" {
		t.Error(problem)
	}
}

func isGone() string {
	var i v1alpha1.Instance
	if err := host.Client.Get(context.Background(), client.ObjectKey{Name: "asia"}, &i); !apierrors.IsNotFound(err) {
		return fmt.Sprintf("the Instance is still there: %v", err)
	}
	return ""
}

func TestTwoInstancesOfOneKarmadaKeepOneHistory(t *testing.T) {
	start(t, nil, clock.RealClock{})
	web := deployment("web", "a:1")
	put(t, web)
	raw := kubeconfigOf(t)
	suite.Attach(t, host, "asia", raw)
	suite.Attach(t, host, "asia-again", raw)
	reaches(t, "Deployment web 1 a:1")
	change(t, web, image("a:2"))
	reaches(t, "Deployment web 1 a:1", "Deployment web 2 a:2")
	if err := host.Client.Delete(t.Context(), instanceOf(t)); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, isGone)
	// The one that stays keeps what it recorded, and what is current in any case.
	testenv.Eventually(t, func() string {
		if h := history(t.Context()); len(h) == 0 || !strings.HasSuffix(h[len(h)-1], " a:2") {
			return fmt.Sprintf("the history is %q", h)
		}
		return ""
	})
}

func TestAnInstanceWhoseKarmadaIsAwayIsNotHeldForLong(t *testing.T) {
	now := testclock.NewFakePassiveClock(time.Now())
	start(t, nil, now)
	door := testenv.NewKarmada(t, karmada)
	put(t, deployment("web", "a:1"))
	suite.Attach(t, host, "asia", door.Kubeconfig("kairship"))
	reaches(t, "Deployment web 1 a:1")
	door.Set(testenv.Down)
	now.SetTime(now.Now().Add(time.Hour))
	if err := host.Client.Delete(t.Context(), instanceOf(t)); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, isGone)
	reaches(t, "Deployment web 1 a:1")
}

func TestADeathAtAnyWriteOfARecordIsMadeGood(t *testing.T) {
	testenv.Crashes{
		Setup: func(t *testing.T) {
			put(t, deployment("web", "a:1"), cronJob("report", "b:1"))
			suite.Attach(t, host, "asia", kubeconfigOf(t))
		},
		Start:   func(t *testing.T, wrap transport.WrapperFunc) func() { return start(t, wrap, clock.RealClock{}) },
		Settled: func() string { return is(context.Background(), "CronJob report 1 b:1", "Deployment web 1 a:1") },
		State:   func(t *testing.T) any { return history(t.Context()) },
	}.Run(t)
}

func TestADeathAtAnyWriteOfALeaveIsMadeGood(t *testing.T) {
	testenv.Crashes{
		Setup: func(t *testing.T) {
			put(t, deployment("web", "a:1"), cronJob("report", "b:1"))
			suite.Attach(t, host, "asia", kubeconfigOf(t))
			stop := start(t, nil, clock.RealClock{})
			reaches(t, "CronJob report 1 b:1", "Deployment web 1 a:1")
			stop()
			if err := host.Client.Delete(t.Context(), instanceOf(t)); err != nil {
				t.Fatal(err)
			}
		},
		Start:   func(t *testing.T, wrap transport.WrapperFunc) func() { return start(t, wrap, clock.RealClock{}) },
		Settled: isGone,
		State:   func(t *testing.T) any { return history(t.Context()) },
	}.Run(t)
}
