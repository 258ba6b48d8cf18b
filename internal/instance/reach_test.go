package instance

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream"
)

// known is a Karmada of which some clusters are known.
type known struct {
	karmada
	config   *rest.Config
	clusters []connection.Object
}

func (k known) Config() *rest.Config                        { return rest.CopyConfig(k.config) }
func (k known) State(...*connection.Watch) connection.State { return connection.State{Synced: true} }
func (k known) List(*connection.Watch) []connection.Object  { return k.clusters }
func (k known) Get(_ *connection.Watch, _, name string) connection.Object {
	for _, c := range k.clusters {
		if c.GetName() == name {
			return c
		}
	}
	return nil
}

// follower is a connection that follows the members tokyo and osaka, of which the latter is lost.
func follower(t *testing.T, instance string, h health) *Connection {
	t.Helper()
	k := known{config: &rest.Config{Host: "https://" + instance}}
	for name, reason := range map[string]string{"tokyo": "ClusterReady", "osaka": notReachableReason} {
		status := metav1.ConditionTrue
		if reason == notReachableReason {
			status = metav1.ConditionFalse
		}
		k.clusters = append(k.clusters, &clusterv1alpha1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: name},
			Status: clusterv1alpha1.ClusterStatus{Conditions: []metav1.Condition{{Type: "Ready", Status: status, Reason: reason}}}})
	}
	conn := &Connection{karmada: k, instance: instance, timeout: 10 * time.Second}
	conn.health.Store(&h)
	return conn
}

func TestAReadGoesToAControlPlaneAsThePersonAndToAMemberThroughKarmada(t *testing.T) {
	ada := auth.NewPrincipal(auth.OriginHost, "ada", []string{"admins"})
	all := rbac.NewAuthorizer([]string{"kairship:host:admins"}).Scope(ada)
	padded := auth.Principal{Name: ada.Name, Groups: []string{"\tkairship:host:devs"}}
	const proxy = "https://asia/apis/cluster.karmada.io/v1alpha1/clusters/"
	for _, c := range []struct {
		name    string
		health  health
		scope   rbac.Scope
		who     auth.Principal
		cluster string
		host    string
		user    string
		timeout time.Duration
		code    model.Code
	}{
		{"the control plane", health{}, all, ada, "", "https://asia", ada.Name, 10 * time.Second, ""},
		{"a member", health{}, all, ada, "tokyo", proxy + "tokyo/proxy", "", 10 * time.Second, ""},
		{"a member that Karmada has lost is not waited for", health{}, all, ada, "osaka", proxy + "osaka/proxy", "", probeTimeout, ""},
		{"a cluster that is no member", health{}, all, ada, "kyoto", "", "", 0, model.CodeNotFound},
		{"a name that is a path", health{}, all, ada, "../../x", "", "", 0, model.CodeNotFound},
		{"without a scope", health{}, rbac.Scope{}, ada, "", "", "", 0, model.CodeForbidden},
		{"as nobody", health{}, all, auth.Principal{}, "", "", "", 0, model.CodeForbidden},
		{"as one of Kubernetes' own", health{}, all, auth.Principal{Name: "system:admin"}, "", "", "", 0, model.CodeForbidden},
		{"as somebody whose name a header would change", health{}, all, auth.Principal{Name: ada.Name + " "}, "", "", "", 0, model.CodeForbidden},
		{"by a group whose name a header would change", health{}, rbac.NewAuthorizer(padded.Groups).Scope(padded), padded, "", "", "", 0, model.CodeForbidden},
		{"while the API server is away", health{api: "gone", clusterAPI: "gone"}, all, ada, "", "", "", 0, model.CodeUnavailable},
		{"a member while Karmada's own API is away", health{clusterAPI: "gone"}, all, ada, "tokyo", "", "", 0, model.CodeUnavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn := follower(t, "asia", c.health)
			cfg, err := conn.Reader(t.Context(), c.scope, c.who, c.cluster)
			if e := (*model.Error)(nil); c.code != "" {
				if !errors.As(err, &e) || e.Code != c.code {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if cfg.Host != c.host || cfg.Impersonate.UserName != c.user || cfg.Timeout != c.timeout {
				t.Errorf("to %s as %q within %s", cfg.Host, cfg.Impersonate.UserName, cfg.Timeout)
			}
			if conn.Config().Host != "https://asia" {
				t.Error("the connection itself was changed")
			}
		})
	}
}

// silentNotebook is one in which nothing can be noted: the host cluster hangs.
type silentNotebook struct{ tried bool }

func (n *silentNotebook) Note(ctx context.Context, _ auth.Principal) bool {
	<-ctx.Done()
	return true
}

func (n *silentNotebook) Try(context.Context, auth.Principal, func(context.Context) error) error {
	n.tried = true
	return nil
}

func TestAHostClusterThatHangsHoldsUpNobodyWhoIsNewToAMember(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		europe, _ := scopes(t)
		notes := &silentNotebook{}
		conn := follower(t, "europe", health{})
		conn.seen = notes
		began := time.Now()
		if _, err := conn.Reader(t.Context(), europe, mary, "tokyo"); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != upstream.Silence || notes.tried {
			t.Errorf("it took %s, and the member was waited for: %v", took, notes.tried)
		}
	})
}
