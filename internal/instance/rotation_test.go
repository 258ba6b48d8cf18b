package instance_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance"
	"github.com/kairship-io/kairship/internal/live"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const kairshipNamespace = "kairship-system"

var everything = rbac.NewAuthorizer([]string{"admins"}).Scope(auth.Principal{Name: "somebody", Groups: []string{"admins"}})

// newHost starts an API server that is the host cluster and, behind a server, a Karmada with one member.
func newHost(t *testing.T) (*testenv.Server, *testenv.Karmada) {
	t.Helper()
	host := testenv.Start(t, testenv.KairshipDefinitions, testenv.ClusterpediaDefinitions, testenv.KarmadaDefinitions)
	if err := host.EnsureNamespace(kairshipNamespace); err != nil {
		t.Fatal(err)
	}
	karmada := testenv.NewKarmada(t, host)
	karmada.Join("tokyo", 200)
	return host, karmada
}

// runFleet follows the host cluster until the test ends.
func runFleet(t *testing.T, host *testenv.Server) *instance.Fleet {
	t.Helper()
	f, err := instance.New(instance.Config{
		Host: host.Config, Namespace: kairshipNamespace, ClusterpediaNamespace: "clusterpedia-system",
		Timeout: 10 * time.Second, ProbeInterval: time.Second, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	testenv.Eventually(t, func() string {
		if !f.Ready() {
			return "the fleet is not ready"
		}
		return ""
	})
	return f
}

func credential(name string, kubeconfig []byte) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: kairshipNamespace, Name: name},
		Data:       map[string][]byte{v1alpha1.KubeconfigKey: kubeconfig},
	}
}

// clustersOf waits until an instance has some clusters.
func clustersOf(t *testing.T, f *instance.Fleet, instance string, want ...string) {
	t.Helper()
	testenv.Eventually(t, func() string {
		clusters, err := f.Clusters(everything, instance)
		if err != nil {
			return err.Error()
		}
		var names []string
		for _, c := range clusters {
			names = append(names, c.Name)
		}
		if !slices.Equal(names, want) {
			return fmt.Sprintf("its clusters are %v", names)
		}
		return ""
	})
}

// queries asks an instance for what it holds until the test ends, over and over, and counts the answers.
func queries(t *testing.T, f *instance.Fleet, instance string) (answered *atomic.Int64, stop func()) {
	t.Helper()
	answered = &atomic.Int64{}
	ctx, cancel := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	ask := func(what string, query func() error) {
		asking.Go(func() {
			for ctx.Err() == nil {
				if err := query(); err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("%s: %v", what, err)
					return
				}
				answered.Add(1)
			}
		})
	}
	ask("the clusters", func() error {
		clusters, err := f.Clusters(everything, instance)
		if err == nil && len(clusters) == 0 {
			err = errors.New("there are none")
		}
		time.Sleep(time.Millisecond) // it costs nothing, and would leave nothing to the others
		return err
	})
	ask("a read", func() error {
		conn, err := f.Connection(everything, instance)
		if err != nil {
			return err
		}
		_, err = conn.Dynamic().Resource(corev1.SchemeGroupVersion.WithResource("namespaces")).List(ctx, metav1.ListOptions{Limit: 1})
		return err
	})
	ask("a request as a person", func() error {
		conn, err := f.Connection(everything, instance)
		if err != nil {
			return err
		}
		cfg, err := conn.As(auth.Principal{Name: "kairship:ann", Groups: []string{"kairship:all"}})
		if err != nil {
			return err
		}
		c, err := kubernetes.NewForConfig(cfg)
		if err != nil {
			return err
		}
		_, err = c.Discovery().ServerVersion()
		return err
	})
	return answered, sync.OnceFunc(func() {
		cancel()
		asking.Wait()
	})
}

// follow subscribes to the clusters of an instance. Told are the changes that have come, but for
// MODIFIED: a cluster is told again by a new connection.
func follow(t *testing.T, f *instance.Fleet, instance string) (told func() []string) {
	t.Helper()
	hub := live.New(live.Config{
		Connect: func(scope rbac.Scope, instance string) (live.Connection, error) {
			conn, err := f.Connection(scope, instance)
			if err != nil {
				return nil, err
			}
			return conn, nil
		},
		Logger: slog.New(slog.DiscardHandler),
	})
	changes, err := hub.Clusters(t.Context(), everything, instance)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all []string
	var reading sync.WaitGroup
	reading.Go(func() {
		for c := range changes {
			what := string(c.Type)
			if c.Node != nil {
				what += " " + c.Node.Name
			}
			mu.Lock()
			if c.Type != model.ChangeModified {
				all = append(all, what)
			}
			mu.Unlock()
		}
	})
	t.Cleanup(func() {
		hub.Close()
		reading.Wait()
	})
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// whoAmI is the name that an instance's connection has there.
func whoAmI(ctx context.Context, f *instance.Fleet, instance string) string {
	conn, err := f.Connection(everything, instance)
	if err != nil {
		return err.Error()
	}
	c, err := kubernetes.NewForConfig(conn.Config())
	if err != nil {
		return err.Error()
	}
	review, err := c.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		return err.Error()
	}
	return review.Status.UserInfo.Username
}

func TestARotatedCredentialTakesOverWithoutAFailedQuery(t *testing.T) {
	host, karmada := newHost(t)
	secret := credential("asia", karmada.Kubeconfig("kairship-0"))
	instance := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: "asia"}, Spec: v1alpha1.InstanceSpec{
		Source: v1alpha1.InstanceAttached, Attached: &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: "asia"}},
	}}
	for _, o := range []client.Object{secret, instance} {
		if err := host.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	f := runFleet(t, host)
	clustersOf(t, f, "asia", "tokyo")
	answered, stop := queries(t, f, "asia")
	defer stop()
	told := follow(t, f, "asia")
	wantTold := []string{"SNAPSHOT tokyo", "SYNCED"}
	for i := 1; i <= 5; i++ {
		user := fmt.Sprintf("kairship-%d", i)
		old, err := f.Connection(everything, "asia")
		if err != nil {
			t.Fatal(err)
		}
		secret.Data[v1alpha1.KubeconfigKey] = karmada.Kubeconfig(user)
		if err := host.Client.Update(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		member := fmt.Sprintf("member-%d", i)
		karmada.Join(member, 200)
		wantTold = append(wantTold, "ADDED "+member)
		testenv.Eventually(t, func() string {
			if who := whoAmI(t.Context(), f, "asia"); who != "system:serviceaccount:default:"+user {
				return "the connection is that of " + who
			}
			return ""
		})
		select {
		case <-old.Done(): // subscriptions learn by it that they have to go on elsewhere
		case <-time.After(testenv.Timeout):
			t.Fatal("the old connection is not done")
		}
		before := answered.Load()
		testenv.Eventually(t, func() string {
			if n := answered.Load() - before; n < 20 {
				return fmt.Sprintf("%d queries were answered after the change", n)
			}
			return ""
		})
		testenv.Eventually(t, func() string { return cmp.Diff(wantTold, told()) })
	}
	stop()

	// What is not the credential is no reason to begin anew.
	conn, err := f.Connection(everything, "asia")
	if err != nil {
		t.Fatal(err)
	}
	secret.Labels = map[string]string{"team": "a"}
	if err := host.Client.Update(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	instance.Spec.DisplayName = "Asia" // seen after the Secret: they are read together
	if err := host.Client.Update(t.Context(), instance); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		if in, err := f.Instance(everything, "asia"); err != nil || in.DisplayName == nil {
			return fmt.Sprint("the change was not seen: ", err)
		}
		return ""
	})
	if again, err := f.Connection(everything, "asia"); err != nil || again != conn {
		t.Errorf("a label of the Secret has replaced the connection (%v)", err)
	}
}

func TestAnInstanceThatIsBeingMadeHoldsNothingAndFailsNothing(t *testing.T) {
	host, karmada := newHost(t)
	instance := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: "europe"}, Spec: v1alpha1.InstanceSpec{Source: v1alpha1.InstanceManaged}}
	if err := host.Client.Create(t.Context(), instance); err != nil {
		t.Fatal(err)
	}
	f := runFleet(t, host)
	says := func(state model.InstanceState, message string, unborn bool) {
		t.Helper()
		testenv.Eventually(t, func() string {
			in, err := f.Instance(everything, "europe")
			if err != nil || in.State != state || in.StateMessage != message || in.Provisioning != unborn {
				return fmt.Sprintf("%+v (%v)", in, err)
			}
			return ""
		})
	}
	says(model.InstanceInstalling, "being installed", true)
	clustersOf(t, f, "europe")
	if c, err := f.Cluster(everything, "europe", "tokyo"); c != nil || err != nil {
		t.Errorf("cluster %v (%v), want none and no error", c, err)
	}
	var known *model.Error
	if _, err := f.Connection(everything, "europe"); !errors.As(err, &known) || known.Code != model.CodeUnavailable || !known.Retryable {
		t.Errorf("a connection before there is one: %v", err)
	}

	instance.Status.Phase = v1alpha1.PhaseInstalling
	instance.Status.KubeconfigSecretRef = &v1alpha1.SecretReference{Name: "europe-kubeconfig"}
	instance.Status.Steps = []v1alpha1.Step{{Name: "Install", State: v1alpha1.StepRunning, Message: "waits for etcd"}}
	if err := host.Client.Status().Update(t.Context(), instance); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		if in, err := f.Instance(everything, "europe"); err != nil || len(in.Steps) != 1 || in.Steps[0].Message != "waits for etcd" {
			return fmt.Sprintf("%+v (%v)", in, err)
		}
		return ""
	})
	clustersOf(t, f, "europe") // the Secret that the status names may come later

	if err := host.Client.Create(t.Context(), credential("europe-kubeconfig", karmada.Kubeconfig("kairship"))); err != nil {
		t.Fatal(err)
	}
	clustersOf(t, f, "europe", "tokyo")
	says(model.InstanceInstalling, "being installed", false)

	instance.Status.Phase = v1alpha1.PhaseRunning
	if err := host.Client.Status().Update(t.Context(), instance); err != nil {
		t.Fatal(err)
	}
	says(model.InstanceRunning, "", false)
}
