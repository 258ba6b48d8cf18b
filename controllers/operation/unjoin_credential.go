package operation

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// keepCredential keeps the credential of Karmada's account in the member, as a kubeconfig in the operation's Secret: with the Cluster it
// goes from Karmada, and only it opens the member to take the account itself away. A credential that Karmada does not have, or that is not accepted,
// is noted: then the member cannot be cleaned.
func (r *Run) keepCredential(ctx context.Context, c *clusterv1alpha1.Cluster) (Outcome, error) {
	kept, err := r.Secret(ctx)
	if err != nil || kept != nil || r.Found(foundUnclean) != "" {
		return Done(), err
	}
	config, why, err := r.accountOf(ctx, c)
	if err != nil {
		return final(err)
	}
	if why != "" {
		return Done(), r.Find(ctx, foundUnclean, why)
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: r.Namespace, Name: r.Operation.Name,
			Labels:          map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(r.Operation, v1alpha1.OperationKindGVK)},
		},
		Data: map[string][]byte{v1alpha1.KubeconfigKey: config},
	}
	if err := r.Client.Create(ctx, secret, Owner); err != nil && !apierrors.IsAlreadyExists(err) {
		return Outcome{}, fmt.Errorf("keeping the credential of the member: %w", err)
	}
	return Done(), nil
}

// accountOf is a kubeconfig with the credential by which Karmada reaches a member, as the actor may read it; else why there is none.
func (r *Run) accountOf(ctx context.Context, c *clusterv1alpha1.Cluster) (config []byte, why string, err error) {
	if c.Spec.SecretRef == nil || c.Spec.APIEndpoint == "" {
		return nil, "Karmada has no credential of it", nil
	}
	raw, is, err := r.look(ctx, model.Ref{GVK: secretKind, Namespace: c.Spec.SecretRef.Namespace, Name: c.Spec.SecretRef.Name})
	if karmada.IsForbidden(err) {
		return nil, "you may not read the credential of it that Karmada has", nil
	}
	if err != nil {
		return nil, "", err
	}
	if is == nil {
		return nil, "the Secret with the credential of it is gone", nil
	}
	var secret corev1.Secret
	if err := json.Unmarshal(raw, &secret); err != nil {
		return nil, "", fmt.Errorf("decode the credential of cluster %q: %w", c.Name, err)
	}
	config, err = yaml.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": "member",
		"clusters": []any{map[string]any{"name": "member", "cluster": map[string]any{"server": c.Spec.APIEndpoint, "insecure-skip-tls-verify": c.Spec.InsecureSkipTLSVerification,
			"certificate-authority-data": base64.StdEncoding.EncodeToString(secret.Data[clusterv1alpha1.SecretCADataKey])}}},
		"users":    []any{map[string]any{"name": "member", "user": map[string]any{"token": string(secret.Data[clusterv1alpha1.SecretTokenKey])}}},
		"contexts": []any{map[string]any{"name": "member", "context": map[string]any{"cluster": "member", "user": "member"}}},
	})
	if err != nil {
		return nil, "", fmt.Errorf("encode the credential of cluster %q: %w", c.Name, err)
	}
	// The address is what somebody wrote into the Cluster: as much from outside as a kubeconfig that is pasted.
	if _, err := kubeconfig.Parse(config); err != nil {
		return nil, "Kairship does not connect to its address: " + err.Error(), nil //nolint:nilerr // it is said
	}
	return config, "", nil
}
