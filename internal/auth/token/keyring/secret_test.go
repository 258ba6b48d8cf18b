package keyring

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func TestSecret(t *testing.T) {
	client, err := kubernetes.NewForConfig(testenv.Start(t).Config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, secrets := t.Context(), client.CoreV1().Secrets(metav1.NamespaceDefault)
	store := NewSecret(secrets, "keys")
	load := func(want string) string {
		t.Helper()
		data, version, err := store.Load(ctx)
		if err != nil || string(data) != want {
			t.Fatalf("loaded %q, %v, want %q", data, err, want)
		}
		return version
	}
	save := func(data, version string, want error) {
		t.Helper()
		if err := store.Save(ctx, []byte(data), version); !errors.Is(err, want) {
			t.Fatalf("saving %q over version %q: %v, want %v", data, version, err, want)
		}
	}

	if version := load(""); version != "" {
		t.Fatalf("nothing has version %q", version)
	}
	save("one", "", nil)
	first := load("one")
	save("another first one", "", ErrConflict)
	save("two", first, nil)
	save("another second one", first, ErrConflict)
	second := load("two")

	if err := secrets.Delete(ctx, "keys", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	save("three", second, ErrConflict)
	load("")

	// A Secret that somebody else made beforehand is filled, and what else it has stays.
	if _, err := secrets.Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "keys", Labels: map[string]string{"theirs": "yes"}}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	save("four", load(""), nil)
	load("four")
	if got, err := secrets.Get(ctx, "keys", metav1.GetOptions{}); err != nil || got.Labels["theirs"] != "yes" {
		t.Errorf("%v, labels %v", err, got.Labels)
	}
}
