package model

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/validation/path"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Ref names one object anywhere in the fleet.
type Ref struct {
	// Instance is the Karmada instance that holds the object or federates its cluster.
	Instance string
	// Cluster is the member that holds the object; empty for an object of the control plane.
	Cluster   string
	GVK       schema.GroupVersionKind
	Namespace string
	Name      string
}

// APIVersion is the object's group and version, for instance "apps/v1".
func (r Ref) APIVersion() string { return r.GVK.GroupVersion().String() }

// Place is where the object is, for people: its namespace and name, or its name alone.
func (r Ref) Place() string { return Clip(strings.TrimPrefix(r.Namespace+"/"+r.Name, "/")) }

// idVersion is the first field of every id, so that the encoding can change without old ids being
// mistaken for new ones.
const idVersion = "1"

// Kinds of id: what the other fields mean.
const (
	idInstance = "Instance"
	idCluster  = "Cluster"
	idObject   = "Object"
	// idAccessBinding is of an AccessBinding of the host cluster.
	idAccessBinding = "AccessBinding"
	// idOperation is of an Operation of the host cluster.
	idOperation = "Operation"
)

// idSeparator occurs in no Kubernetes name, kind or version.
const idSeparator = "\n"

// ID is a decoded global id: an instance, a cluster, an object, an access binding or an operation.
type ID struct {
	kind string
	Ref  Ref
}

// IsInstance says whether the id is an instance's; its name is Ref.Instance.
func (i ID) IsInstance() bool { return i.kind == idInstance }

// IsCluster says whether the id is a member cluster's; its name is Ref.Cluster.
func (i ID) IsCluster() bool { return i.kind == idCluster }

// AccessBinding is the name of the access binding that the id is of; empty for any other.
func (i ID) AccessBinding() string {
	if i.kind != idAccessBinding {
		return ""
	}
	return i.Ref.Name
}

// Operation is the name of the operation that the id is of; empty for any other.
func (i ID) Operation() string {
	if i.kind != idOperation {
		return ""
	}
	return i.Ref.Name
}

// IsObject says whether the id is an object's.
func (i ID) IsObject() bool { return i.kind == idObject }

// InstanceID is the global id of an instance.
func InstanceID(name string) string { return encodeID(idInstance, name) }

// ClusterID is the global id of a member cluster.
func ClusterID(instance, name string) string { return encodeID(idCluster, instance, name) }

// ID is the global id of an object.
func (r Ref) ID() string {
	return encodeID(idObject, r.Instance, r.Cluster, r.GVK.Group, r.GVK.Version, r.GVK.Kind, r.Namespace, r.Name)
}

func encodeID(fields ...string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(idVersion + idSeparator + strings.Join(fields, idSeparator)))
}

// maxIDLength bounds what ParseID looks at: the longest id of real names is well below it.
const maxIDLength = 2048

// ParseID decodes a global id. It checks neither that the object exists nor who may see it.
func ParseID(id string) (ID, error) {
	bad := BadInput("id", "is not an id of this server")
	if len(id) > maxIDLength || strings.ContainsAny(id, "\r\n") { // base64 skips line breaks
		return ID{}, bad
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(id)
	if err != nil || !utf8.Valid(raw) {
		return ID{}, bad
	}
	f := strings.Split(string(raw), idSeparator)
	if len(f) < 2 || f[0] != idVersion {
		return ID{}, bad
	}
	kind, f := f[1], f[2:]
	if len(f) > 0 && strings.Contains(f[0], ".") && kind != idAccessBinding && kind != idOperation {
		return ID{}, bad // a dot could make it read as an instance and its member
	}
	switch {
	case kind == idInstance && len(f) == 1 && f[0] != "":
		return ID{kind: kind, Ref: Ref{Instance: f[0]}}, nil
	case kind == idCluster && len(f) == 2 && f[0] != "" && f[1] != "":
		return ID{kind: kind, Ref: Ref{Instance: f[0], Cluster: f[1]}}, nil
	case (kind == idAccessBinding || kind == idOperation) && len(f) == 1 && f[0] != "" && len(f[0]) <= 253:
		return ID{kind: kind, Ref: Ref{Name: f[0]}}, nil
	case kind == idObject && len(f) == 7 && f[0] != "" && f[3] != "" && f[4] != "" && f[6] != "":
		return ID{kind: kind, Ref: Ref{Instance: f[0], Cluster: f[1],
			GVK:       schema.GroupVersionKind{Group: f[2], Version: f[3], Kind: f[4]},
			Namespace: f[5], Name: f[6]}}, nil
	}
	return ID{}, bad
}

// ParseWorkloadID decodes the global id of a workload template. For an id of something else it returns that Ref beside
// the error.
func ParseWorkloadID(id string) (Ref, error) {
	decoded, err := ParseID(id)
	if err != nil {
		return Ref{}, err
	}
	ref := decoded.Ref
	if _, ok := WorkloadKindOf(ref.GVK); !decoded.IsObject() || !ok || ref.Cluster != "" || ref.Namespace == "" ||
		len(path.IsValidPathSegmentName(ref.Namespace)) > 0 || len(path.IsValidPathSegmentName(ref.Name)) > 0 {
		return ref, BadInput("id", "is not the id of a workload")
	}
	return ref, nil
}
