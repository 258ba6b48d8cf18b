package standin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/internal/rbac/admission"
)

// maxBody is how much of a request is read.
const maxBody = 4 << 20

func write(w http.ResponseWriter, r *http.Request, kept *store, t target) {
	var body map[string]any
	if raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody)); err != nil {
		fail(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
		return
	} else if r.Method != http.MethodDelete {
		if err := json.Unmarshal(raw, &body); err != nil {
			fail(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, "the body is not a JSON object: "+err.Error())
			return
		}
	}
	var o *object
	var err error
	code := http.StatusOK
	switch r.Method {
	case http.MethodPost:
		if policy := own + admission.Suffix; refusesProbe(kept, t, body, policy) {
			fail(w, http.StatusForbidden, metav1.StatusReasonForbidden, fmt.Sprintf("ValidatingAdmissionPolicy %q denied request", policy))
			return
		}
		code = http.StatusCreated
		o, err = create(kept, t, body, r.URL.Query().Has("dryRun"))
	case http.MethodPut:
		o, err = kept.update(t.resource, t.key(), func(before map[string]any) (map[string]any, error) {
			if before == nil {
				return nil, errNotFound
			}
			keepIdentity(body, before)
			return body, nil
		})
	case http.MethodPatch:
		apply := verb(r, t) == "apply"
		o, err = kept.update(t.resource, t.key(), func(before map[string]any) (map[string]any, error) {
			if before == nil && !apply {
				return nil, errNotFound
			}
			after := merge(before, body)
			keepIdentity(after, before)
			setName(after, t.namespace, t.name)
			return after, nil
		})
	case http.MethodDelete:
		if t.name == "" {
			err = deleteAll(r, kept, t)
		} else {
			_, err = kept.update(t.resource, t.key(), func(map[string]any) (map[string]any, error) { return nil, nil })
		}
	default:
		fail(w, http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed, r.Method+" is not allowed")
		return
	}
	switch {
	case errors.Is(err, errNotFound):
		fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, fmt.Sprintf("%s %q not found", t.Resource, t.name))
	case errors.Is(err, errExists):
		fail(w, http.StatusConflict, metav1.StatusReasonAlreadyExists, fmt.Sprintf("%s already exists", t.Resource))
	case err != nil:
		fail(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
	case o == nil:
		answer(w, http.StatusOK, metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess})
	default:
		answer(w, code, o.raw)
	}
}

func create(kept *store, t target, body map[string]any, dry bool) (*object, error) {
	meta, _ := body["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	if prefix, _ := meta["generateName"].(string); name == "" && prefix != "" {
		const random = 5
		name = prefix + rand.String(random)
	}
	if name == "" {
		return nil, errors.New("the object has no name")
	}
	setName(body, t.namespace, name)
	if t.Resource == named("propagationpolicies").Resource {
		admit(body)
	}
	if dry {
		return encode(t.resource, body, nil, 0)
	}
	return kept.update(t.resource, keyOf(t.namespace, name), func(before map[string]any) (map[string]any, error) {
		if before != nil {
			return nil, errExists
		}
		return body, nil
	})
}

// own begins the name of the admission policy that refuses the probe.
const own = "own"

// refusesProbe reports whether a request is the one by which Kairship finds out that its admission policies are enforced.
func refusesProbe(kept *store, t target, body map[string]any, policy string) bool {
	meta, _ := body["metadata"].(map[string]any)
	return t.Resource == named("clusterroles").Resource && meta["name"] == admission.Probe &&
		kept.get(named("validatingadmissionpolicies").GroupResource(), keyOf("", policy)) != nil
}

// admit adds to a policy what Karmada's webhook adds.
func admit(policy map[string]any) {
	meta, ok := policy["metadata"].(map[string]any)
	if !ok {
		return
	}
	labels, _ := meta["labels"].(map[string]any)
	if labels == nil {
		labels = map[string]any{}
		meta["labels"] = labels
	}
	setDefault(labels, policyv1alpha1.PropagationPolicyPermanentIDLabel, "00000000-0000-4000-8000-000000000000")
}

func deleteAll(r *http.Request, kept *store, t target) error {
	s, err := selectionOf(r, t)
	if err != nil {
		return err
	}
	objects, _ := kept.list(t.GroupResource(), t.namespace)
	for _, o := range objects {
		if !s.matches(o) {
			continue
		}
		if _, err := kept.update(t.resource, o.key, func(map[string]any) (map[string]any, error) { return nil, nil }); err != nil && !errors.Is(err, errNotFound) {
			return err
		}
	}
	return nil
}

func setName(content map[string]any, namespace, name string) {
	meta, ok := content["metadata"].(map[string]any)
	if !ok {
		meta = map[string]any{}
		content["metadata"] = meta
	}
	meta["name"] = name
	if namespace != "" {
		meta["namespace"] = namespace
	}
}

// keepIdentity carries over the fields that cannot be changed.
func keepIdentity(after, before map[string]any) {
	from, _ := before["metadata"].(map[string]any)
	to, ok := after["metadata"].(map[string]any)
	if !ok {
		return
	}
	for _, name := range []string{"uid", "creationTimestamp", "generation", "name", "namespace"} {
		if from[name] != nil {
			to[name] = from[name]
		}
	}
}

// merge lays a patch over an object: maps are merged, null removes, and anything else is replaced. That is enough for
// an apply where only one manager applies an object, and never drops a field.
func merge(before, patch map[string]any) map[string]any {
	after := maps.Clone(before)
	if after == nil {
		after = map[string]any{}
	}
	for name, value := range patch {
		inner, isMap := value.(map[string]any)
		old, wasMap := after[name].(map[string]any)
		switch {
		case value == nil:
			delete(after, name)
		case isMap && wasMap:
			after[name] = merge(old, inner)
		case isMap:
			after[name] = merge(nil, inner)
		default:
			after[name] = value
		}
	}
	return after
}
