package pki

import (
	"encoding/base64"
	"fmt"
	"os"

	"github.com/kairship-io/kairship/playground/internal/state"
)

// Kubeconfig returns a kubeconfig that holds everything in itself: the CA, the
// client certificate and its key.
func Kubeconfig(name, server string, ca string, client Pair) ([]byte, error) {
	var parts [3]string
	for i, path := range []string{ca, client.Cert, client.Key} {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("writing the kubeconfig of %s: %w", name, err)
		}
		parts[i] = base64.StdEncoding.EncodeToString(b)
	}
	return fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters:
- name: %[1]s
  cluster:
    server: %[2]s
    certificate-authority-data: %[3]s
users:
- name: %[1]s
  user:
    client-certificate-data: %[4]s
    client-key-data: %[5]s
contexts:
- name: %[1]s
  context:
    cluster: %[1]s
    user: %[1]s
current-context: %[1]s
`, name, server, parts[0], parts[1], parts[2]), nil
}

// WriteKubeconfig writes one to a file that only its owner reads. It leaves a
// file alone that says the same, so that nothing that watches it wakes up.
func WriteKubeconfig(path, name, server, ca string, client Pair) error {
	b, err := Kubeconfig(name, server, ca, client)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(path); err == nil && string(old) == string(b) {
		return nil
	}
	return state.WriteFile(path, b, 0o600)
}
