package karmada

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// executionPrefix begins the name of the namespace that holds what is for a member.
	executionPrefix = "karmada-es-"
	// placedPage and placedPages bound how many Works of a member are read.
	placedPage, placedPages = 500, 20

	workBindingName      = "resourcebinding.karmada.io/name"
	workBindingNamespace = "resourcebinding.karmada.io/namespace"
	workClusterBinding   = "clusterresourcebinding.karmada.io/name"
)

var workKind = schema.GroupVersionKind{Group: "work.karmada.io", Version: "v1alpha1", Kind: "Work"}

// ExecutionSpace is the namespace of an instance that holds the Works for a member.
func ExecutionSpace(cluster string) string { return executionPrefix + cluster }

// Placed is what Karmada holds for a member.
type Placed struct {
	// Objects were placed there by policies, in order of namespace and name; other Works, such as those of Namespaces, are counted only.
	Objects []PlacedObject
	Others  int
	// More says that there is more than was read.
	More bool
}

// PlacedObject is an object that a policy placed, as the name of its binding tells.
type PlacedObject struct {
	// Namespace is empty for one of none. Binding is NAME-KIND, in lower case.
	Namespace, Binding string
}

// Place returns what Karmada holds for a member, as a person, who has to be allowed to list Works there. Only their metadata is read.
func Place(ctx context.Context, conn Connection, principal auth.Principal, cluster string) (*Placed, error) {
	client, err := as(conn, principal)
	if err != nil {
		return nil, fmt.Errorf("read instance %q: %w", conn.Instance(), err)
	}
	o := &Object{Ref: model.Ref{Instance: conn.Instance(), GVK: workKind, Namespace: ExecutionSpace(cluster)}, mapping: &meta.RESTMapping{GroupVersionKind: workKind}}
	out, next := &Placed{}, ""
	for page := 0; page == 0 || next != ""; page++ {
		if page == placedPages {
			out.More = true
			break
		}
		req := client.Get().AbsPath(groupPath(workKind.GroupVersion())).Namespace(o.Ref.Namespace).Resource("works").MaxRetries(0).
			SetHeader("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json").Param("limit", strconv.Itoa(placedPage))
		if next != "" {
			req = req.Param("continue", next)
		}
		raw, _, err := send(ctx, dryRunTimeout, req)
		if err != nil {
			return nil, o.explained(ctx, unwritten{err})
		}
		var list metav1.PartialObjectMetadataList
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("decode the Works of cluster %q: %w", cluster, err)
		}
		for i := range list.Items {
			out.add(list.Items[i].Annotations)
		}
		next = list.Continue
	}
	slices.SortFunc(out.Objects, func(a, b PlacedObject) int {
		return strings.Compare(a.Namespace+"/"+a.Binding, b.Namespace+"/"+b.Binding)
	})
	return out, nil
}

// add adds a Work by its annotations.
func (p *Placed) add(annotations map[string]string) {
	switch binding, cluster := annotations[workBindingName], annotations[workClusterBinding]; {
	case binding != "":
		p.Objects = append(p.Objects, PlacedObject{Namespace: annotations[workBindingNamespace], Binding: binding})
	case cluster != "":
		p.Objects = append(p.Objects, PlacedObject{Binding: cluster})
	default:
		p.Others++
	}
}

// Kind and Name are those of the object, as far as the name of its binding tells: it has them in lower case.
func (o PlacedObject) Kind() string {
	return o.Binding[strings.LastIndexByte(o.Binding, '-')+1:]
}

// Name is the object's name, in lower case.
func (o PlacedObject) Name() string {
	name, _ := strings.CutSuffix(o.Binding, "-"+o.Kind())
	return name
}

// ReleaseWorks removes the finalizers of the Works for a member, as a person: what they placed there stays. It returns how many are left.
func ReleaseWorks(ctx context.Context, conn Connection, principal auth.Principal, cluster string) (int, error) {
	client, err := as(conn, principal)
	if err != nil {
		return 0, fmt.Errorf("write to instance %q: %w", conn.Instance(), err)
	}
	o := &Object{Ref: model.Ref{Instance: conn.Instance(), GVK: workKind, Namespace: ExecutionSpace(cluster)}, mapping: &meta.RESTMapping{GroupVersionKind: workKind}}
	// As many as fit into the time of one try.
	const batch = 100
	raw, _, err := send(ctx, dryRunTimeout, client.Get().AbsPath(groupPath(workKind.GroupVersion())).Namespace(o.Ref.Namespace).Resource("works").MaxRetries(0).
		SetHeader("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json").Param("limit", strconv.Itoa(batch)))
	if err != nil {
		return 0, o.explained(ctx, unwritten{err})
	}
	var list metav1.PartialObjectMetadataList
	if err := json.Unmarshal(raw, &list); err != nil {
		return 0, fmt.Errorf("decode the Works of cluster %q: %w", cluster, err)
	}
	left := len(list.Items)
	if list.RemainingItemCount != nil {
		left += int(*list.RemainingItemCount)
	}
	for i := range list.Items {
		w := &list.Items[i]
		if len(w.Finalizers) == 0 {
			continue
		}
		patch := fmt.Appendf(nil, `{"metadata":{"uid":%q,"finalizers":null}}`, w.UID)
		_, _, err := send(ctx, DefaultTimeout, client.Patch(types.MergePatchType).AbsPath(groupPath(workKind.GroupVersion())).Namespace(o.Ref.Namespace).
			Resource("works").Name(w.Name).Param("fieldManager", FieldManager).Body(patch))
		if err != nil && !apierrors.IsNotFound(err) {
			return left, o.explained(ctx, err)
		}
	}
	return left, nil
}
