package globalmanagement

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	testclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

func texts(secrets [][]byte) []string {
	out := []string{}
	for _, s := range secrets {
		out = append(out, string(s))
	}
	slices.Sort(out)
	return out
}

func TestAFileWithSecretsIsReadAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets")
	for _, tt := range []struct {
		name, text string
		want       []string
		refused    string
	}{
		{"one", secret, []string{secret}, ""},
		{"two, while one takes the place of the other", another + "\n" + secret + "\n", []string{secret, another}, ""},
		{"the new one, with empty lines around", "\r\n" + another + "\r\n\n", []string{another}, ""},
		{"none", "\n \n", nil, "there is no secret"},
		{"three", secret + "\n" + another + "\n" + secret + "3", nil, "at most 2"},
		{"one that is too short", secret + "\nshort", nil, "5 bytes"},
		{"a file that is no such file", strings.Repeat("x", maxSecretFile+1), nil, "more than 4096 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := FileSecrets(path).Secrets(t.Context())
			if tt.refused != "" {
				if err == nil || !strings.Contains(err.Error(), tt.refused) || strings.Contains(err.Error(), "short") || strings.Contains(err.Error(), secret) {
					t.Errorf("want %q, got %v, %v", tt.refused, got, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, texts(got)); diff != "" {
				t.Errorf("secrets (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := FileSecrets(path + "-gone").Secrets(t.Context()); err == nil {
		t.Error("a file that is not there has secrets")
	}
}

func TestASecretOfTheHostIsReadAnewAfterAMoment(t *testing.T) {
	now := testclock.NewFakeClock(time.Unix(1_800_000_000, 0))
	object := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "global-management"}, Data: map[string][]byte{"current": []byte(secret + "\n")}}
	if err := host.Client.Create(t.Context(), object); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Client.Delete(context.Background(), object) })
	s := NewObjectSecrets(host.Client, client.ObjectKeyFromObject(object), now)
	is := func(want ...string) {
		t.Helper()
		got, err := s.Secrets(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, texts(got)); diff != "" {
			t.Errorf("secrets (-want +got):\n%s", diff)
		}
	}
	is(secret)
	object.Data = map[string][]byte{"current": []byte(another), "previous": []byte(secret)}
	if err := host.Client.Update(t.Context(), object); err != nil {
		t.Fatal(err)
	}
	is(secret)
	now.Step(objectGoodFor)
	is(secret, another)
	if err := host.Client.Delete(t.Context(), object); err != nil {
		t.Fatal(err)
	}
	now.Step(objectGoodFor)
	if got, err := s.Secrets(t.Context()); err == nil {
		t.Errorf("a Secret that is gone gives %q", got)
	}
}

// TestASecretIsRotatedWithoutAMomentInWhichNothingIsTaken: docs/global-management.md says how.
func TestASecretIsRotatedWithoutAMomentInWhichNothingIsTaken(t *testing.T) {
	b := newBench(t)
	path := filepath.Join(t.TempDir(), "secrets")
	b.Hook.Secrets = FileSecrets(path)
	sequence := int64(0)
	works := func(with string) bool {
		t.Helper()
		b.clock.Step(time.Second)
		sequence++
		text := body(t, b.event(seconds(b.clock.Now()), event.BindingUpserted, sequence, "alice Viewer asia"))
		r := b.request(text)
		r.Header.Set(HeaderSignature, Sign([]byte(with), r.Header.Get(HeaderTimestamp), text))
		return b.do(t, r).Outcome == outcomeApplied
	}
	for _, tt := range []struct {
		file           string
		former, latter bool
	}{{secret, true, false}, {another + "\n" + secret, true, true}, {another, false, true}} {
		if err := os.WriteFile(path, []byte(tt.file), 0o600); err != nil {
			t.Fatal(err)
		}
		if former, latter := works(secret), works(another); former != tt.former || latter != tt.latter {
			t.Errorf("%q: the former works: %v, the latter: %v", tt.file, former, latter)
		}
	}
}
