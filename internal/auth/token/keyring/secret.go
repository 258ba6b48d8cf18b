package keyring

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
)

// secretKey is the key of the Secret's data that holds the keys.
const secretKey = "keys.json"

// Secret is a Store that is one Secret of the host cluster. It needs the verbs get, create and patch. Deleting the
// Secret ends everything that was made with its keys within about a minute.
type Secret struct {
	secrets typedcorev1.SecretInterface
	name    string
}

// NewSecret makes a Store of the Secret of that name in the client's namespace.
func NewSecret(secrets typedcorev1.SecretInterface, name string) *Secret {
	return &Secret{secrets: secrets, name: name}
}

// Load reads the keys and the Secret's version.
func (s *Secret) Load(ctx context.Context) (data []byte, version string, err error) {
	secret, err := s.secrets.Get(ctx, s.name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("reading the Secret %s: %w", s.name, err)
	}
	return secret.Data[secretKey], secret.ResourceVersion, nil
}

// Save writes the keys. Labels and whatever else others wrote to the Secret stays.
func (s *Secret) Save(ctx context.Context, data []byte, version string) error {
	var err error
	if version == "" {
		_, err = s.secrets.Create(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: s.name, Labels: map[string]string{"app.kubernetes.io/managed-by": "kairship"}},
			Data:       map[string][]byte{secretKey: data},
		}, metav1.CreateOptions{})
	} else {
		var patch []byte
		patch, err = json.Marshal(map[string]any{
			"metadata": map[string]string{"resourceVersion": version},
			"data":     map[string][]byte{secretKey: data},
		})
		if err == nil {
			_, err = s.secrets.Patch(ctx, s.name, types.MergePatchType, patch, metav1.PatchOptions{})
		}
	}
	if apierrors.IsAlreadyExists(err) || apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		return ErrConflict
	}
	if err != nil {
		return fmt.Errorf("writing the Secret %s: %w", s.name, err)
	}
	return nil
}
