package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	controllerconfig "sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/access"
	"github.com/kairship-io/kairship/controllers/leader"
	"github.com/kairship-io/kairship/controllers/lifecycle"
	"github.com/kairship-io/kairship/controllers/operation"
	"github.com/kairship-io/kairship/controllers/registry"
	"github.com/kairship-io/kairship/controllers/revision"
	"github.com/kairship-io/kairship/controllers/statistics"
	"github.com/kairship-io/kairship/controllers/status"
	"github.com/kairship-io/kairship/controllers/virtualcluster"
	"github.com/kairship-io/kairship/internal/audit"
	identity "github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/rbac/subjects"
	"github.com/kairship-io/kairship/internal/telemetry"
)

// leaseName is the Lease by which controller managers elect their leader.
const leaseName = "kairship-controller-manager"

// hostTimeout bounds each request to the host cluster that is not a watch.
const hostTimeout = 15 * time.Second

// ControllerManager runs the controllers.
type ControllerManager struct {
	Host

	ClusterpediaNamespace string         `help:"Namespace of the host cluster in which Clusterpedia reads the Secrets of its clusters." default:"clusterpedia-system"`
	ClusterpediaShards    []string       `help:"Names of Clusterpedia's synchro managers (their --sharding-name), among which instances and members are spread; none when there is one without a name." placeholder:"NAME"`
	GlobalResource        GlobalResource `embed:"" prefix:"global-resource-"`
	ManagedDefaults       string         `help:"File with what all managed instances have where their spec.managed does not say otherwise, in the form of spec.managed." placeholder:"FILE"`
	AdminGroups           []string       `help:"Groups whose members administrate every instance, with their origin: kairship:host:GROUP for groups of the host cluster." placeholder:"GROUP"`
	RevisionHistory       int            `help:"How many revisions of each workload's pod template are kept in its Karmada where the instance does not say (spec.settings.revisionHistoryLimit): 0 to 100, 0 for none. By default ${default}." default:"10" placeholder:"NUMBER"`
	Database              AuditDatabase  `embed:"" prefix:"database-"`
	OperationAge          time.Duration  `help:"How long operations are kept once they have ended, at least 1h. By default ${default}." default:"168h"`
	OperationCount        int            `help:"How many operations that have ended are kept at most: 1 to 10000. By default ${default}." default:"1000" placeholder:"NUMBER"`
	MetricsAddress        string         `help:"Address that serves /metrics, and /debug/pprof/ to programs on the same machine, as host:port; 0 for none. By default ${default}." default:"127.0.0.1:8081" placeholder:"ADDRESS"`
	HealthAddress         string         `help:"Address that serves /healthz and /readyz, as host:port; 0 for none. By default ${default}." default:"127.0.0.1:8082" placeholder:"ADDRESS"`
	LeaderElect           bool           `help:"Let one of several controller managers work, by a Lease in the namespace." default:"true" negatable:""`
}

// AuditDatabase is where it is recorded how operations ended: Kairship's own database, whose tables the API server makes.
type AuditDatabase struct {
	DSN          string `name:"dsn" help:"PostgreSQL in which the audit log is kept, as for kairship apiserver: how operations ended is recorded there. A role that may insert into kairship.audit_events is enough. Empty: it is in the log alone." placeholder:"DSN"`
	PasswordFile string `help:"File with the password, where the connection string has none." type:"existingfile" placeholder:"FILE"`
}

// recorder records in the database, or in the log alone. Close ends it.
func (d AuditDatabase) recorder() (recorder *audit.Recorder, closed func(), err error) {
	options := audit.RecorderOptions{Metrics: metrics.Registry}
	if d.DSN == "" {
		return audit.NewRecorder(nil, options), func() {}, nil
	}
	db, err := openOwnDatabase(d.DSN, d.PasswordFile)
	if err != nil {
		return nil, nil, err
	}
	recorder = audit.NewRecorder(db, options)
	return recorder, func() { closeAudit(recorder, db) }, nil
}

// GlobalResource is how instances are registered in the platform's global management.
type GlobalResource struct {
	Kind      string            `help:"Kind of the objects that instances are registered by, as Kind.version.group. By default ${default}." default:"GlobalResource.v1alpha1.kairship.io" placeholder:"KIND"`
	Namespace string            `help:"Namespace of those objects, where their kind is namespaced." placeholder:"NAME"`
	Fields    map[string]string `help:"Where in those objects to write what, for another kind than the default one: kind, name, displayName or roles, as a path such as spec.displayName." placeholder:"FIELD=PATH"`
}

func (g GlobalResource) options() (registry.Options, error) {
	kind, err := registry.ParseKind(g.Kind)
	if err != nil {
		return registry.Options{}, fmt.Errorf("--global-resource-kind: %w", err)
	}
	if g.Namespace != "" {
		if problems := validation.IsDNS1123Label(g.Namespace); len(problems) > 0 {
			return registry.Options{}, fmt.Errorf("--global-resource-namespace is %q; it must be the name of a namespace: %s", g.Namespace, problems[0])
		}
	}
	layout, err := registry.ParseLayout(g.Fields)
	if err != nil {
		return registry.Options{}, fmt.Errorf("--global-resource-fields: %w", err)
	}
	return registry.Options{Kind: kind, KindNamespace: g.Namespace, Layout: layout}, nil
}

// Validate rejects options that cannot work, before anything starts.
func (m *ControllerManager) Validate() error {
	for flag, name := range map[string]string{"namespace": m.Namespace, "clusterpedia-namespace": m.ClusterpediaNamespace} {
		if problems := validation.IsDNS1123Label(name); len(problems) > 0 {
			return fmt.Errorf("--%s is %q; it must be the name of a namespace: %s", flag, name, problems[0])
		}
	}
	if len(m.AdminGroups) == 0 {
		return errors.New("--admin-groups is empty; nobody could write to any instance")
	}
	if err := identity.CheckGroups(m.AdminGroups); err != nil {
		return fmt.Errorf("--admin-groups: %w", err)
	}
	if err := virtualcluster.CheckShards(m.ClusterpediaShards); err != nil {
		return fmt.Errorf("--clusterpedia-shards: %w", err)
	}
	if _, err := m.GlobalResource.options(); err != nil {
		return err
	}
	if m.Database.DSN == "" && m.Database.PasswordFile != "" {
		return errPasswordAlone
	}
	if m.RevisionHistory < 0 || m.RevisionHistory > revision.MaxHistory {
		return fmt.Errorf("--revision-history is %d; it must be from 0 to %d", m.RevisionHistory, revision.MaxHistory)
	}
	if m.OperationAge < time.Hour {
		return fmt.Errorf("--operation-age is %s; it must be at least 1h", m.OperationAge)
	}
	if m.OperationCount < 1 || m.OperationCount > operation.MaxMost {
		return fmt.Errorf("--operation-count is %d; it must be from 1 to %d", m.OperationCount, operation.MaxMost)
	}
	for flag, address := range map[string]string{"metrics-address": m.MetricsAddress, "health-address": m.HealthAddress} {
		if err := checkAddress(address); err != nil {
			return fmt.Errorf("--%s is %q; %w", flag, address, err)
		}
	}
	if m.MetricsAddress == m.HealthAddress && m.MetricsAddress != "0" {
		return fmt.Errorf("--metrics-address and --health-address are both %q; they need two ports", m.MetricsAddress)
	}
	return nil
}

func checkAddress(address string) error {
	if address == "0" {
		return nil
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return errors.New("it must be host:port, or 0 for none")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return errors.New("its port must be a number from 1 to 65535")
	}
	return nil
}

// Run runs the controllers until the context ends.
func (m *ControllerManager) Run(ctx context.Context) error {
	config, err := m.config()
	if err != nil {
		return err
	}
	config.UserAgent = "kairship-controller-manager"
	config.QPS, config.Burst = 50, 100
	if err := served(ctx, config); err != nil {
		return err
	}
	log := slog.Default()
	recorder, closed, err := m.Database.recorder()
	if err != nil {
		return err
	}
	defer closed()
	mgr, err := m.manager(config, recorder)
	if err != nil {
		return err
	}
	log.Info("controllers start", "version", version(), "namespace", m.Namespace, "leaderElection", m.LeaderElect)
	if err := mgr.Start(ctx); err != nil {
		return fmt.Errorf("running the controllers: %w", err)
	}
	log.Info("controllers stopped")
	return nil
}

// manager makes the manager with every controller in it.
func (m *ControllerManager) manager(config *rest.Config, recorder *audit.Recorder) (manager.Manager, error) {
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(types); err != nil {
			return nil, fmt.Errorf("building the scheme: %w", err)
		}
	}
	byObject, err := m.cached()
	if err != nil {
		return nil, err
	}
	options := manager.Options{
		Scheme: types,
		Metrics: metricsserver.Options{
			BindAddress: m.MetricsAddress, ExtraHandlers: map[string]http.Handler{telemetry.ProfilesPath: telemetry.Profiles()},
		},
		HealthProbeBindAddress: m.HealthAddress,
		Cache: cache.Options{
			DefaultTransform: cache.TransformStripManagedFields(),
			ByObject:         byObject,
		},
		Client:    client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		NewClient: boundedClient,
		// Warmup: a new leader starts with filled caches. No priority queue: that of controller-runtime 0.23 may lock
		// up on shutdown (its issue 3538), which releases the lease half a minute late.
		Controller: controllerconfig.Controller{EnableWarmup: ptr.To(true), UsePriorityQueue: ptr.To(false)},
	}
	var fence transport.WrapperFunc
	if m.LeaderElect {
		lock, err := leader.New(config, m.Namespace, leaseName, clock.RealClock{})
		if err != nil {
			return nil, err
		}
		fence = lock.Fence
		options.LeaderElection, options.LeaderElectionResourceLockInterface = true, lock
		options.LeaderElectionID, options.LeaderElectionNamespace = leaseName, m.Namespace
		options.LeaseDuration, options.RenewDeadline, options.RetryPeriod = ptr.To(leader.Duration), ptr.To(leader.Renew), ptr.To(leader.Retry)
		options.LeaderElectionReleaseOnCancel = true
		config = rest.CopyConfig(config)
		config.Wrap(fence)
	}
	mgr, err := manager.New(config, options)
	if err != nil {
		return nil, fmt.Errorf("making the controller manager: %w", err)
	}

	if err := m.addControllers(mgr, fence, recorder); err != nil {
		return nil, err
	}
	if err := mgr.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return nil, fmt.Errorf("adding the health check: %w", err)
	}
	if err := mgr.AddReadyzCheck("ping", healthz.Ping); err != nil {
		return nil, fmt.Errorf("adding the readiness check: %w", err)
	}
	return mgr, nil
}

// addControllers adds every controller to a manager. All their requests to Karmadas pass through fence.
func (m *ControllerManager) addControllers(mgr manager.Manager, fence transport.WrapperFunc, recorder *audit.Recorder) error {
	log := slog.Default()
	connections := connection.NewSet(connection.Options{Logger: log, Wrap: fence})
	if err := mgr.Add(connections); err != nil {
		return fmt.Errorf("adding the connections to the instances: %w", err)
	}
	all := controllers.Options{Namespace: m.Namespace, Connections: connections, Logger: log}
	register, err := m.GlobalResource.options()
	if err != nil {
		return err
	}
	register.Options = all
	var defaults v1alpha1.ManagedInstance
	if m.ManagedDefaults != "" {
		if defaults, err = lifecycle.ReadDefaults(m.ManagedDefaults); err != nil {
			return fmt.Errorf("--managed-defaults: %w", err)
		}
	}
	return controllers.Register(mgr,
		operation.New(operation.Options{
			Options: all, AdminGroups: m.AdminGroups, Audit: recorder, Kinds: operation.Kinds(), Keep: m.OperationAge, Most: m.OperationCount,
		}),
		virtualcluster.New(virtualcluster.Options{Options: all, ClusterpediaNamespace: m.ClusterpediaNamespace, Shards: m.ClusterpediaShards}),
		access.New(access.Options{Options: all, AdminGroups: m.AdminGroups}),
		statistics.New(statistics.Options{Options: all}),
		revision.New(revision.Options{Options: all, History: m.RevisionHistory}),
		registry.New(register),
		lifecycle.New(lifecycle.Options{Options: all, Defaults: defaults}),
		status.New(status.Options{Options: all}),
	)
}

// cached limits which objects of the host cluster are kept in memory: Secrets of two namespaces only, and Kairship's
// own virtual clusters only.
func (m *ControllerManager) cached() (map[client.Object]cache.ByObject, error) {
	ours, err := labels.NewRequirement(v1alpha1.LabelInstance, selection.Exists, nil)
	if err != nil {
		return nil, fmt.Errorf("selecting virtual clusters: %w", err)
	}
	selected := labels.NewSelector().Add(*ours)
	// Set last: where both are one namespace, its Secrets cannot be selected by label.
	secrets := map[string]cache.Config{m.ClusterpediaNamespace: {LabelSelector: selected}}
	secrets[m.Namespace] = cache.Config{}
	pedia := &unstructured.Unstructured{}
	pedia.SetGroupVersionKind(virtualcluster.PediaClusterKind)
	// The platform's own kind may have many objects that Kairship did not make.
	registered, err := m.GlobalResource.options()
	if err != nil {
		return nil, err
	}
	global := &unstructured.Unstructured{}
	global.SetGroupVersionKind(registered.Kind)
	ofInstances := cache.ByObject{Label: selected}
	if registered.KindNamespace != "" {
		ofInstances.Namespaces = map[string]cache.Config{registered.KindNamespace: {}}
	}
	return map[client.Object]cache.ByObject{
		&corev1.Secret{}: {Namespaces: secrets},
		// Records of who has been seen.
		&corev1.ConfigMap{}: {Namespaces: map[string]cache.Config{m.Namespace: {LabelSelector: labels.SelectorFromSet(labels.Set{subjects.Label: "true"})}}},
		pedia:               {Label: selected},
		global:              ofInstances,
		// Roles that AccessBindings can name.
		&rbacv1.ClusterRole{}: {Label: labels.SelectorFromSet(labels.Set{v1alpha1.LabelRole: "true"})},
	}, nil
}

// boundedClient returns a client whose requests end within hostTimeout. Watches do not use it.
func boundedClient(config *rest.Config, options client.Options) (client.Client, error) {
	config = rest.CopyConfig(config)
	config.Timeout = hostTimeout
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client of the host cluster: %w", err)
	}
	options.HTTPClient = http
	return client.New(config, options)
}

// served returns an error that names what the host cluster lacks, so that controllers do not wait for it.
func served(ctx context.Context, config *rest.Config) error {
	config = rest.CopyConfig(config)
	config.Timeout = hostTimeout
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return fmt.Errorf("making a client of the host cluster: %w", err)
	}
	for _, want := range []struct {
		resource schema.GroupVersionResource
		from     string
	}{
		{v1alpha1.InstanceResource, "Kairship's CustomResourceDefinitions (api/v1alpha1/crds)"},
		{v1alpha1.AccessBindingResource, "Kairship's CustomResourceDefinitions (api/v1alpha1/crds)"},
		{v1alpha1.OperationResource, "Kairship's CustomResourceDefinitions (api/v1alpha1/crds)"},
		{virtualcluster.PediaClusterKind.GroupVersion().WithResource("pediaclusters"), "Clusterpedia's CustomResourceDefinitions"},
	} {
		list, err := client.ServerResourcesForGroupVersion(want.resource.GroupVersion().String())
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("asking the host cluster for %s: %w", want.resource.GroupResource(), err)
		}
		if err != nil || !slices.ContainsFunc(list.APIResources, isNamed(want.resource.Resource)) {
			return fmt.Errorf("the host cluster does not serve %s in %s: install %s", want.resource.GroupResource(), want.resource.Version, want.from)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func isNamed(name string) func(metav1.APIResource) bool {
	return func(r metav1.APIResource) bool { return r.Name == name }
}
