package loaders

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/policy/schedule"
)

const (
	// mostDeleted is how many deletions one preview may be of.
	mostDeleted = 20
	// mostNamedEffects is how many objects are named one by one; more of a sort are summed up.
	mostNamedEffects = 50
	// protectedLabel is Karmada's protection from deletion, when its value is Always.
	protectedLabel = "resourcetemplate.karmada.io/deletion-protected"
)

// DeletionPreview says what deleting some objects, members or instances would do.
func (k *Loaders) DeletionPreview(ctx context.Context, ids []string) (*model.DeletionPreview, error) {
	if n := len(ids); n == 0 || n > mostDeleted {
		return nil, model.BadInput("ids", "holds %d ids; 1 to %d are allowed", n, mostDeleted)
	}
	out := &model.DeletionPreview{Items: make([]model.DeletionPreviewItem, 0, len(ids)), Findings: []model.PreviewFinding{}}
	told := map[string]bool{}
	var lacks error
	for i, text := range ids {
		id, err := model.ParseID(text)
		if err != nil {
			return nil, err
		}
		d := &deletion{Loaders: k, item: model.DeletionPreviewItem{ID: text, Goes: []model.DeletionEffect{}, Stays: []model.DeletionEffect{},
			Refusals: []model.DeletionRefusal{}, Findings: []model.PreviewFinding{}}}
		found, err := d.of(ctx, id)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, &model.Error{Code: model.CodeNotFound, Message: fmt.Sprintf("ids[%d]: there is no such object", i), Field: []string{"ids", fmt.Sprint(i)}}
		}
		out.Items = append(out.Items, d.item)
		lacks = cmp.Or(lacks, d.lacks)
		if instance := id.Ref.Instance; !told[instance] {
			told[instance] = true
			out.Findings = append(out.Findings, k.sightFindings(instance)...)
		}
	}
	return out, lacks
}

// deletion is the preview of one deletion.
type deletion struct {
	*Loaders

	item model.DeletionPreviewItem
	// lacks is why something could not be read that the rest stands without.
	lacks error
}

// lacking notes a part that could not be read: an error beside the preview, and what that means in the preview itself. Nil is none.
func (d *deletion) lacking(err error, format string, args ...any) {
	if err != nil {
		d.lacks = cmp.Or(d.lacks, err)
		d.incomplete(format, args...)
	}
}

func (d *deletion) incomplete(format string, args ...any) {
	d.item.Findings = append(d.item.Findings, model.PreviewFinding{Code: model.PreviewIncomplete, Message: fmt.Sprintf(format, args...)})
}

func effect(ref *model.Ref, kind, cluster string, count int, reason string) model.DeletionEffect {
	e := model.DeletionEffect{Object: model.PreviewObjectOf(ref), Kind: kind, Count: count, Reason: reason}
	if cluster != "" {
		e.ClusterName = &cluster
	}
	return e
}

func (d *deletion) goes(ref *model.Ref, kind, cluster string, count int, reason string) {
	d.item.Goes = append(d.item.Goes, effect(ref, kind, cluster, count, reason))
}

func (d *deletion) stays(ref *model.Ref, kind, cluster string, count int, reason string) {
	d.item.Stays = append(d.item.Stays, effect(ref, kind, cluster, count, reason))
}

func (d *deletion) refused(code model.Code, format string, args ...any) {
	d.item.Refusals = append(d.item.Refusals, model.DeletionRefusal{Code: string(code), Message: fmt.Sprintf(format, args...)})
}

func (d *deletion) of(ctx context.Context, id model.ID) (found bool, err error) {
	switch {
	case id.IsInstance():
		return d.ofInstance(id.Ref.Instance)
	case id.IsCluster():
		return d.ofCluster(ctx, id.Ref.Instance, id.Ref.Cluster)
	case !id.IsObject():
		return false, model.BadInput("ids", "are those of objects of control planes, of clusters and of instances")
	case id.Ref.Cluster != "":
		return false, model.BadInput("ids", "one is of an object in cluster %q: Karmada writes to members; ask for its template", id.Ref.Cluster)
	}
	obj, err := d.Object(ctx, id.Ref)
	if obj == nil || err != nil {
		return false, err
	}
	return true, d.ofObject(ctx, obj)
}

func (d *deletion) ofInstance(name string) (bool, error) {
	i, err := d.Instance(name)
	if err != nil {
		return false, err
	}
	d.item.Kind, d.item.Name = "Instance", name
	if !d.scope.Grants(name, nil) {
		d.refused(model.CodeForbidden, "only those with the role Admin on all of instance %q may delete it", name)
	}
	clusters, err := d.members(name)
	if err != nil {
		d.incomplete("Which clusters are joined is not known now: the deletion waits until it is.")
	}
	for _, c := range slices.Sorted(maps.Keys(clusters)) {
		d.stays(nil, "Cluster", c, 1, "the cluster itself, and what runs in it")
	}
	if i.Source == model.InstanceManaged && i.DeletionPolicy == model.DeletionCascade {
		// The host cluster's guard is for control planes that go (api/v1alpha1/admission/instance-deletion.yaml).
		if n := len(clusters); n > 0 {
			d.refused(model.CodeConflict, "%d clusters are joined: %s; remove them first, or force the deletion: what runs there is left there", n, strings.Join(slices.Sorted(maps.Keys(clusters)), ", "))
		}
		d.goes(nil, "Karmada", "", 1, "Kairship made this control plane, and it goes with everything that it holds")
	} else {
		d.stays(nil, "Karmada", "", 1, "the control plane goes on without Kairship")
	}
	return true, nil
}

func (d *deletion) ofCluster(ctx context.Context, instance, name string) (bool, error) {
	c, err := d.Cluster(instance, name)
	if c == nil || err != nil {
		return false, err
	}
	d.item.Kind, d.item.Name = "Cluster", name
	if !d.scope.Grants(instance, nil) {
		d.refused(model.CodeForbidden, "only those with the role Admin on all of instance %q may remove clusters", instance)
	}
	bound, err := d.rowsIn(instance, "", bindingResources, placedIn(name))
	if err != nil {
		return false, err
	}
	n, err := d.countRows(ctx, bound)
	switch {
	case err != nil:
		return false, err
	case n == nil:
		return false, errUncounted
	case *n > 0 && c.State == model.ClusterReady:
		d.goes(nil, "ResourceBinding", name, *n, "what Karmada placed in the cluster is deleted there, unless its policy preserves it, and is scheduled elsewhere as its policy allows")
	case *n > 0:
		d.stays(nil, "ResourceBinding", name, *n, "the cluster is not ready: what Karmada placed there is left there, and is scheduled elsewhere as its policy allows")
	}
	if c.State != model.ClusterReady {
		d.refused(model.CodeBadUserInput, "the cluster does not answer, so that what Karmada placed there cannot be removed; with force it stays there (unjoinCluster)")
	}
	d.stays(nil, "Cluster", name, 1, "the cluster itself, and everything in it that Karmada did not place there")
	return true, nil
}

func (d *deletion) ofObject(ctx context.Context, obj model.KubernetesObject) error {
	ref := obj.ObjectRef()
	d.item.Kind, d.item.Name = ref.GVK.Kind, ref.Name
	if ref.Namespace != "" {
		d.item.Namespace = &ref.Namespace
	}
	d.forbidden(ref)
	o, ok := obj.(interface{ ObjectMeta() *model.Object })
	if p, is := obj.(model.Policy); is {
		body := p.PolicyMetadata().Body
		if body == nil {
			return nil
		}
		d.protected(&body.Object)
		return d.ofPolicy(ctx, body)
	}
	if !ok {
		return nil
	}
	d.protected(o.ObjectMeta())
	if ref.GVK == (schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}) {
		return d.ofNamespace(ctx, ref)
	}
	return d.ofTemplate(ctx, obj, o.ObjectMeta())
}

// forbidden notes that the viewer's roles do not let them delete an object. Of a kind whose resource is not known the instance decides.
func (d *deletion) forbidden(ref model.Ref) {
	known := catalog.ByGVK(ref.GVK)
	if known == nil || d.scope.MayIn(ref.Instance, "delete", known.GVR().GroupResource(), ref.Namespace) {
		return
	}
	where := fmt.Sprintf("instance %q", ref.Instance)
	if ref.Namespace != "" {
		where = fmt.Sprintf("namespace %q of %s", ref.Namespace, where)
	}
	d.refused(model.CodeForbidden, "none of your roles lets you delete %s in %s; ask its administrators", known.GVR().Resource, where)
}

// protected notes what refuses to delete an object.
func (d *deletion) protected(o *model.Object) {
	if slices.Contains(o.Labels, model.KeyValue{Key: protectedLabel, Value: "Always"}) {
		d.refused(model.CodeBadUserInput, "it is protected from deletion; take the protection back first (protectResource)")
	}
}

// ofTemplate is what goes with an object of a control plane.
func (d *deletion) ofTemplate(ctx context.Context, obj model.KubernetesObject, o *model.Object) error {
	if err := d.owned(ctx, o); err != nil {
		return err
	}
	if w, ok := obj.(model.Workload); ok {
		d.companions(ctx, w.Meta())
	}
	if !propagates(o) {
		return nil
	}
	subjects, err := d.subjects(ctx, []model.KubernetesObject{obj})
	if err != nil || subjects[0].binding == nil {
		return err
	}
	b := subjects[0].binding
	d.goes(&b.Ref, b.Ref.GVK.Kind, "", 1, "Karmada's record of where the object goes belongs to it")
	bound, err := schedule.Binding(b.Raw)
	if err != nil {
		return err
	}
	places := subjects[0].places()
	for _, e := range b.Evictions {
		if !slices.ContainsFunc(places, func(c model.PreviewCluster) bool { return c.ClusterName == e.ClusterName }) {
			places = append(places, model.PreviewCluster{ClusterName: e.ClusterName})
		}
	}
	preserved := bound.Spec.PreserveResourcesOnDeletion != nil && *bound.Spec.PreserveResourcesOnDeletion
	for _, at := range places {
		work := workRef(o, at.ClusterName)
		d.goes(&work, "Work", "", 1, "Karmada's order to cluster "+at.ClusterName)
		member := o.Ref
		member.Cluster = at.ClusterName
		if preserved {
			d.stays(&member, member.GVK.Kind, at.ClusterName, 1, "its policy preserves what is in the members (preserveResourcesOnDeletion)")
		} else {
			d.goes(&member, member.GVK.Kind, at.ClusterName, 1, "Karmada deletes it in the cluster, with what belongs to it there")
		}
	}
	for _, need := range b.DependsOn {
		if need.Ref.Name != "" && d.mayRead(need.Ref) {
			d.stays(&need.Ref, need.Ref.GVK.Kind, "", 1, "the object depends on it; it leaves the clusters where nothing else needs it")
		}
	}
	return nil
}

// companions is what is about a workload and stays without it.
func (d *deletion) companions(ctx context.Context, w *model.WorkloadMeta) {
	services, err := d.Services(ctx, w, ListOptions{Page: model.Page{First: mostNamedEffects}})
	d.lacking(err, "Which Services select its pods could not be read: they stay.")
	if services != nil {
		for _, s := range services.Nodes() {
			d.stays(&s.Ref, s.Ref.GVK.Kind, "", 1, "it selects the pods of the workload, and has none of it then")
		}
		if services.PageInfo.HasNextPage {
			d.incomplete("More than %d Services select its pods; the first are listed.", mostNamedEffects)
		}
	}
	autoscaler, err := d.Autoscaler(ctx, w)
	d.lacking(err, "Whether an autoscaler scales it could not be read: it stays.")
	if autoscaler != nil {
		d.stays(&autoscaler.Ref, autoscaler.Ref.GVK.Kind, "", 1, "it scales the workload, and finds none then")
	}
	if claim := w.Claim; claim != nil && d.mayRead(claim.Ref) {
		d.stays(&claim.Ref, claim.Ref.GVK.Kind, "", 1, "the policy by which it is propagated")
	}
}

// owned is what the garbage collector deletes with an object.
func (d *deletion) owned(ctx context.Context, o *model.Object) error {
	children, err := d.Children(ctx, o, ListOptions{Page: model.Page{First: mostNamedEffects}, Count: true})
	if children == nil {
		return err
	}
	d.lacking(err, "Not everything that may belong to it could be read: more may go with it.")
	for _, child := range children.Nodes() {
		ref := child.ObjectRef()
		switch ref.GVK.Kind {
		case "ResourceBinding", "ClusterResourceBinding":
			continue // see ofTemplate
		}
		d.goes(&ref, ref.GVK.Kind, "", 1, "it belongs to the object (ownerReferences)")
	}
	if children.PageInfo.HasNextPage {
		d.incomplete("More than %d objects belong to it; the first are listed.", mostNamedEffects)
	}
	return nil
}

// ofNamespace is what is in a namespace, kind by kind.
func (d *deletion) ofNamespace(ctx context.Context, ref model.Ref) error {
	if strings.HasPrefix(ref.Name, "kube-") || strings.HasPrefix(ref.Name, "karmada-") || ref.Name == "default" {
		d.refused(model.CodeBadUserInput, "the control plane itself needs namespace %q", ref.Name)
	}
	var unsynced []string
	var held []schema.GroupVersionResource
	for _, kind := range catalog.Kinds() {
		if !kind.Namespaced || !kind.KeptIn("") || kind.GVK.Kind == "Event" || kind.GVK.Kind == "Work" || !d.mayList(ref.Instance, kind.GVR()) {
			continue
		}
		if d.source.Fleet.Synced(ref.Instance, "", kind.GVR()) != nil {
			unsynced = append(unsynced, kind.GVK.Kind)
			continue
		}
		held = append(held, kind.GVR())
		rows, err := d.rowsIn(ref.Instance, "", []schema.GroupVersionResource{kind.GVR()}, sql.Namespaces(ref.Name))
		if err != nil {
			return err
		}
		n, err := d.countRows(ctx, rows)
		switch {
		case err != nil:
			return err
		case n == nil:
			return errUncounted
		case *n > 0:
			d.goes(nil, kind.GVK.Kind, "", *n, "everything in the namespace is deleted, and what Karmada placed of it in members")
		}
	}
	if err := d.holdsProtected(ctx, ref, held); err != nil {
		return err
	}
	if err := d.placedOf(ctx, ref); err != nil {
		return err
	}
	d.incomplete("Secrets and other kinds that the read store does not keep are deleted, too, and not counted here.")
	if len(unsynced) > 0 {
		d.incomplete("The read store does not hold these kinds now; what there is of them is deleted, too, and not counted here: %s.", strings.Join(unsynced, ", "))
	}
	return nil
}

// placedOf is how much of a namespace Karmada placed in each cluster.
func (d *deletion) placedOf(ctx context.Context, ref model.Ref) error {
	clusters, err := d.members(ref.Instance)
	if err != nil {
		d.lacking(err, "Which clusters the namespace is in is not known now.")
		return nil
	}
	names := slices.Sorted(maps.Keys(clusters))
	if len(names) > mostNamedEffects {
		d.incomplete("The instance has %d clusters; what is in the first %d is counted.", len(names), mostNamedEffects)
		names = names[:mostNamedEffects]
	}
	for _, c := range names {
		rows, err := d.rowsIn(ref.Instance, "", bindingResources, sql.Namespaces(ref.Name), placedIn(c))
		if err != nil {
			return err
		}
		switch n, err := d.countRows(ctx, rows); {
		case err != nil:
			return err
		case n == nil:
			return errUncounted
		case *n > 0:
			d.goes(nil, "ResourceBinding", c, *n, "what Karmada placed of the namespace in the cluster is deleted there")
		}
	}
	return nil
}

// holdsProtected notes what in a namespace refuses to be deleted with it.
func (d *deletion) holdsProtected(ctx context.Context, ref model.Ref, kinds []schema.GroupVersionResource) error {
	if len(kinds) == 0 {
		return nil
	}
	rows, err := d.rowsIn(ref.Instance, "", kinds, sql.Namespaces(ref.Name), sql.LabelIn(protectedLabel, "Always"))
	if err != nil {
		return err
	}
	switch n, err := d.countRows(ctx, rows); {
	case err != nil:
		return err
	case n == nil:
		return errUncounted
	case *n > 0:
		d.refused(model.CodeBadUserInput, "%d objects in it are protected from deletion, so that it would never be gone; take the protection back first (protectResource)", *n)
	}
	return nil
}

// ofPolicy is what becomes of what a policy claims.
func (d *deletion) ofPolicy(ctx context.Context, body *model.PolicyBody) error {
	first := ListOptions{Page: model.Page{First: mostNamedEffects}, Count: true}
	if body.Propagation == nil {
		d.item.Findings = append(d.item.Findings, model.PreviewFinding{Code: model.PreviewUnscheduled,
			Message: "Nothing is deleted with it: what it changed in the members is changed back. previewOverridePolicy shows the fields."})
		return nil
	}
	rows, err := d.PolicyPreviewRows(ctx, &model.PolicyPreview{Instance: body.Ref.Instance, Before: body, Preemption: true}, first)
	if rows == nil {
		return err
	}
	d.lacking(err, "Not everything that it may claim could be read: it may be about more.")
	for _, row := range rows.Nodes() {
		if row.Change != model.ClaimLost {
			continue
		}
		d.claimedThen(row)
	}
	if rows.PageInfo.HasNextPage {
		d.incomplete("It claims more than %d objects; previewPropagationPolicy shows all of them.", mostNamedEffects)
	}
	return nil
}

// claimedThen is what becomes of an object whose policy is deleted: it stays where it is unless another policy claims it and has it elsewhere.
func (d *deletion) claimedThen(row *model.PolicyPreviewRow) {
	ref := row.Object.Ref
	if row.By == nil {
		d.stays(&ref, ref.GVK.Kind, "", 1, row.Reason)
		return
	}
	by := fmt.Sprintf("%s %q claims it then", row.By.Kind(), row.By.Name())
	d.stays(&ref, ref.GVK.Kind, "", 1, by+": "+row.Reason)
	for _, at := range row.Before {
		if slices.ContainsFunc(row.After, func(c model.PreviewCluster) bool { return c.ClusterName == at.ClusterName }) {
			continue
		}
		member := ref
		member.Cluster = at.ClusterName
		d.goes(&member, ref.GVK.Kind, at.ClusterName, 1, by+", and has it elsewhere")
	}
}
