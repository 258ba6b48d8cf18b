package loaders

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
)

// The fuzz tests read from a small fleet whose names are as alike as they can be: instance prod has members
// eu and us, instance prod-eu has a member eu, and each place holds objects of every kind under the same
// names in two namespaces. Whatever is asked, three things hold: what comes back is of the place that was
// asked, what is wrong is BAD_USER_INPUT, and what reaches the read store is SQL that the code itself wrote.

// worldMembers is the fleet.
var worldMembers = map[string][]string{"prod": {"eu", "us"}, "prod-eu": {"eu"}}

// worldClusters is all PediaClusters of the fleet.
func worldClusters() []string {
	var out []string
	for instance, members := range worldMembers {
		out = append(out, pediacluster.OfInstance(instance))
		for _, m := range members {
			out = append(out, pediacluster.OfMember(instance, m))
		}
	}
	slices.Sort(out)
	return out
}

// worldNames are names that orders other than by bytes would mix up.
var worldNames = []string{"cart", "cart-1", "cart.1", "cart1"}

var worldSpaces = []string{"shop", "shop-a"}

// worldRows is everything there is, by place and kind.
var worldRows = sync.OnceValue(func() map[[2]string][]pediatest.Row {
	out := map[[2]string][]pediatest.Row{}
	for _, cluster := range worldClusters() {
		_, member, _ := pediacluster.Parse(cluster)
		for _, kind := range catalog.Kinds() {
			if !kind.KeptIn(member) {
				continue
			}
			spaces := worldSpaces
			if !kind.Namespaced {
				spaces = []string{""}
			}
			for _, space := range spaces {
				for _, name := range worldNames {
					raw, err := json.Marshal(worldObject(cluster, &kind, space, name))
					if err != nil {
						panic(err) //nolint:forbidigo // a mistake in this file
					}
					at := [2]string{cluster, kind.Resource}
					out[at] = append(out[at], pediatest.Row{Kind: kind.GVK.Kind, Row: sql.Row{Cluster: cluster, GVR: kind.GVR(), Raw: raw}})
				}
			}
		}
	}
	return out
})

func worldUID(cluster, kind, space, name string) string {
	return strings.Join([]string{cluster, kind, space, name}, "/")
}

// worldObject has something for every condition: labels, owners, selectors, placements, claims.
func worldObject(cluster string, kind *catalog.Kind, space, name string) map[string]any {
	type object = map[string]any
	instance, member, _ := pediacluster.Parse(cluster)
	annotations := object{"shadow.clusterpedia.io/cluster-name": cluster}
	labels := object{"app": name, "propagationpolicy.karmada.io/permanent-id": "pp-" + name, "clusterpropagationpolicy.karmada.io/permanent-id": "cpp-" + name}
	if member != "" {
		annotations["resourcetemplate.karmada.io/uid"] = worldUID(pediacluster.OfInstance(instance), kind.GVK.Kind, space, name)
	}
	meta := object{"name": name, "uid": worldUID(cluster, kind.GVK.Kind, space, name), "resourceVersion": "1", "generation": 1,
		"creationTimestamp": fmt.Sprintf("2026-01-0%dT00:00:00Z", 1+len(name)%3), "labels": labels, "annotations": annotations}
	if space != "" {
		meta["namespace"] = space
	}
	out := object{"metadata": meta}
	owned := func(by, key, called string) {
		meta["ownerReferences"] = []object{{"apiVersion": "apps/v1", "kind": by, "name": called, "uid": worldUID(cluster, by, space, key), "controller": true}}
	}
	template := object{"metadata": object{"labels": object{"app": name}}, "spec": object{"containers": []object{{"name": "c", "image": "i"}}}}
	of := object{"apiVersion": "apps/v1", "kind": "Deployment", "namespace": space, "name": name, "uid": worldUID(cluster, "Deployment", space, name)}
	placed := []object{}
	for _, m := range worldMembers[instance] {
		placed = append(placed, object{"name": m, "replicas": 1})
	}
	switch kind.GVK.Kind {
	case "Deployment", "StatefulSet", "DaemonSet", "Job":
		out["spec"] = object{"replicas": 1, "template": template}
	case "CronJob":
		out["spec"] = object{"jobTemplate": object{"spec": object{"template": template}}}
	case "ReplicaSet":
		// All belong to the Deployment cart.
		meta["name"] = replicaSetName(name)
		owned("Deployment", "cart", "cart")
	case "Pod":
		owned("ReplicaSet", name, replicaSetName(name))
		out["spec"], out["status"] = object{"nodeName": name}, object{"phase": "Running"}
	case "ControllerRevision":
		owned("Deployment", "cart", "cart")
		out["revision"], out["data"] = 1, object{"spec": object{"template": template}}
	case "Service":
		out["spec"] = object{"selector": object{"app": "cart"}}
	case "Event":
		of["name"], of["uid"] = "cart", worldUID(cluster, "Deployment", space, "cart")
		out["involvedObject"], out["type"], out["reason"] = of, "Warning", "BackOff"
		out["lastTimestamp"] = fmt.Sprintf("2026-01-0%dT00:00:00Z", 1+len(name)%3)
	case "ResourceBinding", "ClusterResourceBinding":
		meta["name"] = name + "-deployment"
		out["spec"] = object{"resource": of, "replicas": 1, "clusters": placed, "gracefulEvictionTasks": []object{{"fromCluster": "eu", "reason": "TaintUntolerated", "producer": "TaintManager"}}}
	case "Work":
		out["spec"] = object{"workload": object{"manifests": []object{}}}
	case "PropagationPolicy", "ClusterPropagationPolicy":
		out["spec"] = object{"resourceSelectors": []object{{"apiVersion": "apps/v1", "kind": "Deployment"}}, "placement": object{}}
	case "OverridePolicy", "ClusterOverridePolicy":
		out["spec"] = object{"overrideRules": []object{}, "resourceSelectors": []object{
			{"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop"}, {"apiVersion": "apps/v1", "kind": "StatefulSet", "namespace": "shop"}}}
	case "HorizontalPodAutoscaler", "FederatedHPA", "CronFederatedHPA":
		out["spec"] = object{"scaleTargetRef": object{"apiVersion": "apps/v1", "kind": "Deployment", "name": name}}
	}
	return out
}

func replicaSetName(name string) string {
	return "cart-5d" + strings.NewReplacer("-", "a", ".", "b").Replace(name)
}

// world is the fleet, its read store and its API servers as one operation sees them.
type world struct {
	t        testing.TB
	standin  pediatest.Standin
	mu       sync.Mutex
	requests []*http.Request
}

// newWorld gives a context with a loaders of an administrator's.
func newWorld(tb testing.TB) (context.Context, *world) {
	tb.Helper()
	w := &world{t: tb}
	w.standin.Rows = func(q sql.Query) []pediatest.Row {
		var out []pediatest.Row
		for _, cluster := range q.Clusters {
			for _, gvr := range q.GVRs {
				out = append(out, worldRows()[[2]string{cluster, gvr.Resource}]...)
			}
			for _, gvr := range slices.Concat(replicaSetResource, workloadResources) { // whose pods they are stands in other rows
				if slices.Contains(q.GVRs, podResource[0]) && !slices.Contains(q.GVRs, gvr) {
					out = append(out, worldRows()[[2]string{cluster, gvr.Resource}]...)
				}
			}
		}
		return out
	}
	client, err := w.standin.Client(&rest.Config{Host: "http://store", Transport: w}, time.Minute)
	if err != nil {
		tb.Fatal(err)
	}
	ctx := rbac.NewAuthorizer([]string{"g"}).NewContext(context.Background(), auth.Principal{Name: "a", Groups: []string{"g"}})
	source := Source{Fleet: worldFleet{}, Store: client, KubeAPI: worldOrigin{}}
	return source.NewContext(ctx), w
}

// RoundTrip answers what reaches the read store, and remembers it.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := w.standin.Answer(r)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests = append(w.requests, r)
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(body))), ContentLength: int64(len(body)), Request: r}, nil
}

// worldFleet knows the fleet as the real one does: by the names of PediaClusters.
type worldFleet struct{}

func (worldFleet) Synced(instance, cluster string, gvr schema.GroupVersionResource) error {
	if slices.Contains(worldClusters(), pediacluster.Name(instance, cluster)) {
		if _, held := worldRows()[[2]string{pediacluster.Name(instance, cluster), gvr.Resource}]; held && gvr.Group != customGroup {
			return nil
		}
	}
	return &model.Error{Code: model.CodeNotSynced, Message: "the read store does not hold it"}
}

func (worldFleet) ClusterStates(_ rbac.Scope, instance string) map[string]*model.Cluster {
	out := map[string]*model.Cluster{}
	for _, name := range worldMembers[instance] {
		out[name] = &model.Cluster{InstanceName: instance, Name: name, State: model.ClusterReady}
	}
	return out
}

func (worldFleet) ClusterObjects(rbac.Scope, string) ([]*clusterv1alpha1.Cluster, error) {
	return nil, nil
}

func (worldFleet) Instance(_ rbac.Scope, name string) (*model.Instance, error) {
	return &model.Instance{Name: name}, nil
}

func (f worldFleet) Cluster(scope rbac.Scope, instance, name string) (*model.Cluster, error) {
	return f.ClusterStates(scope, instance)[name], nil
}

func (worldFleet) Freshness(string, string) *model.Freshness {
	return &model.Freshness{State: model.FreshnessLive}
}

// customGroup is the group of a custom resource whose kind is Deployment too.
const customGroup = "example.com"

// worldOrigin serves Deployments of another API group, in every place under the same names.
type worldOrigin struct{}

func (worldOrigin) there(instance, cluster string) bool {
	members, ok := worldMembers[instance]
	return ok && (cluster == "" || slices.Contains(members, cluster))
}

func (o worldOrigin) Kind(_ context.Context, _ rbac.Scope, instance, cluster string, kind schema.GroupVersionKind) (*model.APIResource, error) {
	if !o.there(instance, cluster) || kind != gvk(customGroup, "v1", "Deployment") {
		return nil, &model.Error{Code: model.CodeNotFound, Message: "there is no such kind"}
	}
	return &model.APIResource{Group: customGroup, Version: "v1", Kind: "Deployment", Name: "deployments", Scope: model.ScopeNamespaced}, nil
}

func (o worldOrigin) Get(ctx context.Context, who kubeapi.Who, ref model.Ref) ([]byte, error) {
	if _, err := o.Kind(ctx, who.Scope, ref.Instance, ref.Cluster, ref.GVK); err != nil {
		return nil, err
	}
	if !slices.Contains(worldNames, ref.Name) || !slices.Contains(worldSpaces, ref.Namespace) {
		return nil, nil
	}
	return o.object(pediacluster.Name(ref.Instance, ref.Cluster), ref.Namespace, ref.Name)
}

func (o worldOrigin) GetAll(ctx context.Context, who kubeapi.Who, refs []model.Ref) []kubeapi.Result {
	out := make([]kubeapi.Result, len(refs))
	for i, ref := range refs {
		out[i].Raw, out[i].Err = o.Get(ctx, who, ref)
	}
	return out
}

func (worldOrigin) object(cluster, namespace, name string) ([]byte, error) {
	return json.Marshal(map[string]any{"apiVersion": customGroup + "/v1", "kind": "Deployment", "metadata": map[string]any{
		"namespace": namespace, "name": name, "uid": cluster + "/custom/" + namespace + "/" + name, "resourceVersion": "1", "creationTimestamp": "2026-01-01T00:00:00Z"}})
}

func (o worldOrigin) List(ctx context.Context, q kubeapi.Query) (*kubeapi.Page, error) {
	if _, err := o.Kind(ctx, q.Who.Scope, q.Instance, q.Cluster, q.GVK); err != nil {
		return nil, err
	}
	page := &kubeapi.Page{}
	for _, space := range worldSpaces {
		if len(q.Namespaces) > 0 && !slices.Contains(q.Namespaces, space) {
			continue
		}
		for _, name := range worldNames {
			at := space + " " + name // a blank comes before all that names hold
			if at <= q.After || !strings.Contains(name, q.NameContains) {
				continue
			}
			if len(page.Rows) == q.Limit {
				page.Next = page.Rows[q.Limit-1].Cursor
				return page, nil
			}
			raw, err := o.object(pediacluster.Name(q.Instance, q.Cluster), space, name)
			if err != nil {
				return nil, err
			}
			page.Rows = append(page.Rows, kubeapi.Row{Raw: raw, Namespace: space, Name: name, Cursor: at})
		}
	}
	return page, nil
}

func (worldOrigin) APIResources(context.Context, rbac.Scope, string) ([]*model.APIResource, error) {
	return nil, nil
}

// vocabulary is what the SQL of reads is made of. It is learned from reads whose every value is canary.
type vocabulary struct {
	words  map[string]bool
	shapes map[string]bool
	orders map[string]bool
}

// canary is a text that every harmless value is made of, and no SQL.
const canary = "zqx"

// sqlWords splits a statement into what may not be of a user's making: words, constants, signs.
var sqlWords = regexp.MustCompile(`'(?:[^']|'')*'|"[^"]*"|[A-Za-z_][A-Za-z0-9_]*|\$?[0-9]+|\S`)

var sqlNumber = regexp.MustCompile(`\b[0-9]+\b`)

// shapeOf is a statement without its numbers, which are limits and places in lists.
func shapeOf(statement string) string { return sqlNumber.ReplaceAllString(statement, "N") }

// learn takes the statements of harmless reads in.
func (v *vocabulary) learn(tb testing.TB, w *world) {
	tb.Helper()
	for _, r := range w.requests {
		statement := r.URL.Query().Get("whereSQLStatement")
		if strings.Contains(statement, canary) || strings.Contains(r.URL.Query().Get("orderby"), canary) {
			tb.Fatalf("SQL with a value in it: %s", r.URL)
		}
		for _, word := range sqlWords.FindAllString(shapeOf(statement), -1) {
			v.words[word] = true
		}
		v.shapes[shapeOf(statement)] = true
		v.orders[r.URL.Query().Get("orderby")] = true
	}
}

func newVocabulary() *vocabulary {
	return &vocabulary{words: map[string]bool{}, shapes: map[string]bool{}, orders: map[string]bool{}}
}

var (
	// allowedParameters are those that Kairship sends to an open gate.
	allowedParameters = []string{"clusters", "limit", "onlyMetadata", "orderby", "resources", "whereSQLJSONParams", "whereSQLStatement", "withRemainingCount"}
	// storeTime is a time of creation as the read store can read it: PostgreSQL has no year 0.
	storeTime = regexp.MustCompile(`^(?:[0-9]{3}[1-9]|[0-9]{2}[1-9][0-9]|[0-9][1-9][0-9]{2}|[1-9][0-9]{3})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$`)
)

// check says what is wrong with the requests that reached the read store. With shapes, each statement as a
// whole has to be one that is known; else it has to be made of known words.
func (v *vocabulary) check(w *world, shapes bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.requests {
		if err := v.checkRequest(r, shapes); err != nil {
			return fmt.Errorf("%w\nin %s", err, r.URL)
		}
	}
	return nil
}

func (v *vocabulary) checkRequest(r *http.Request, shapes bool) error {
	q := r.URL.Query()
	for name, values := range q {
		if !slices.Contains(allowedParameters, name) || len(values) != 1 {
			return fmt.Errorf("parameter %q was sent %d times", name, len(values))
		}
	}
	if r.URL.Path != "/apis/clusterpedia.io/v1beta1/collectionresources/any" && !slices.ContainsFunc(catalog.Kinds(), func(k catalog.Kind) bool {
		gv := k.GVK.GroupVersion().String()
		return strings.HasSuffix(r.URL.Path, "/"+gv+"/"+k.Resource)
	}) {
		return fmt.Errorf("path %q", r.URL.Path)
	}
	for _, cluster := range strings.Split(q.Get("clusters"), ",") {
		if !slices.Contains(worldClusters(), cluster) {
			return fmt.Errorf("cluster %q was asked", cluster)
		}
	}
	if order := q.Get("orderby"); !v.orders[order] {
		return fmt.Errorf("order %q", order)
	}
	statement := q.Get("whereSQLStatement")
	if shape := shapeOf(statement); shapes && !v.shapes[shape] {
		return fmt.Errorf("a statement of a shape that is not known: %s", shape)
	}
	for _, word := range sqlWords.FindAllString(shapeOf(statement), -1) {
		if !v.words[word] {
			return fmt.Errorf("%q in SQL", word)
		}
	}
	if q.Get("whereSQLJSONParams") == "" {
		return nil
	}
	raw, err := base64.StdEncoding.DecodeString(q.Get("whereSQLJSONParams"))
	if err != nil {
		return err
	}
	if strings.Contains(string(raw), `\u0000`) {
		return errors.New("a zero byte, which PostgreSQL cannot hold")
	}
	return checkTimes(statement, raw)
}

// checkTimes says which text would be cast to a time that is none.
func checkTimes(statement string, raw []byte) error {
	if !strings.Contains(statement, "::timestamptz") {
		return nil
	}
	var params []string
	if err := json.Unmarshal(raw, &params); err != nil {
		return err
	}
	seen := false
	for _, p := range params {
		var bounds []struct {
			Group *string `json:"g"` // a kind, not a place
			At    *string `json:"t"`
		}
		if json.Unmarshal([]byte(p), &bounds) == nil {
			for _, b := range bounds {
				if b.Group == nil && b.At != nil && !storeTime.MatchString(*b.At) {
					return fmt.Errorf("%q is cast to a time", *b.At)
				}
				seen = seen || b.Group == nil && b.At != nil
			}
		}
		seen = seen || storeTime.MatchString(p)
	}
	if !seen {
		return fmt.Errorf("what is cast to a time is none of %s", raw)
	}
	return nil
}

// told says whether an error is one that somebody who sent nonsense may be told.
func told(err error, codes ...model.Code) error {
	if err == nil {
		return nil
	}
	var e *model.Error
	if !errors.As(err, &e) || !slices.Contains(codes, e.Code) {
		return fmt.Errorf("the error is %w, want one of %v", err, codes)
	}
	return nil
}

// page is a page of any list: where its rows are from, and how to go on.
type page struct {
	rows    []row
	cursors []string
	info    model.PageInfo
}

// row is a row of a page.
type row struct {
	model.Ref
	uid string
}

func pageFrom[T model.KubernetesObject](conn *model.Connection[T], err error) (*page, error) {
	if err != nil || conn == nil {
		return nil, err
	}
	out := &page{info: conn.PageInfo}
	for _, e := range conn.Edges {
		r := row{Ref: e.Node.ObjectRef()}
		switch o := any(e.Node).(type) {
		case interface{ ObjectMeta() *model.Object }:
			r.uid = o.ObjectMeta().UID
		case model.Policy:
			r.uid = o.PolicyMetadata().Body.UID
		}
		out.rows, out.cursors = append(out.rows, r), append(out.cursors, e.Cursor)
	}
	return out, nil
}

// object is an object of the world, as a loaders reads it.
func object[T model.KubernetesObject](ctx context.Context, instance, cluster, apiVersion, kind, namespace, name string) (T, error) {
	gv, err := schema.ParseGroupVersion(apiVersion)
	var none T
	if err != nil {
		return none, err
	}
	obj, err := From(ctx).Object(ctx, model.Ref{Instance: instance, Cluster: cluster, GVK: gv.WithKind(kind), Namespace: namespace, Name: name})
	if err != nil {
		return none, err
	}
	t, ok := obj.(T)
	if !ok {
		return none, fmt.Errorf("%s %s/%s of %s is a %T", kind, namespace, name, pediacluster.Name(instance, cluster), obj)
	}
	return t, nil
}
