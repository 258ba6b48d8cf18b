package kubelet

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// objects are Secrets and ConfigMaps of any namespace, by name.
type objects struct {
	secrets    map[string]map[string]string
	configMaps map[string]map[string]string
}

var errMissing = errors.New("not found")

func (o objects) secret(_, name string) (*corev1.Secret, error) {
	data, ok := o.secrets[name]
	if !ok {
		return nil, errMissing
	}
	s := &corev1.Secret{Data: map[string][]byte{}}
	for k, v := range data {
		s.Data[k] = []byte(v)
	}
	return s, nil
}

func (o objects) configMap(_, name string) (*corev1.ConfigMap, error) {
	data, ok := o.configMaps[name]
	if !ok {
		return nil, errMissing
	}
	return &corev1.ConfigMap{Data: data}, nil
}

func TestExpand(t *testing.T) {
	values := map[string]string{"POD_IP": "127.1.1.1", "EMPTY": ""}
	for in, want := range map[string]string{
		"$(POD_IP):8080":     "127.1.1.1:8080",
		"a$(EMPTY)b":         "ab",
		"$(UNKNOWN)":         "$(UNKNOWN)",
		"$$(POD_IP)":         "$(POD_IP)",
		"costs 5$":           "costs 5$",
		"$(POD_IP":           "$(POD_IP",
		"$POD_IP":            "$POD_IP",
		"$(POD_IP)$(POD_IP)": "127.1.1.1127.1.1.1",
	} {
		if got := expand(in, values); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestAProgramListensAtItsPodsAddressOnly(t *testing.T) {
	p := Program{
		Image: "karmada-scheduler", Path: "/cache/karmada-scheduler",
		Defaults: map[string]string{"metrics-bind-address": "$(POD_IP):8080", "log": "/var/log/$(NAME).log"},
		Flags:    map[string]string{"log-level": "warn"},
	}
	tests := map[string]struct {
		command []string
		want    []string
	}{
		"what it says of all addresses": {
			[]string{"/bin/karmada-scheduler", "--bind-address=0.0.0.0", "--metrics-bind-address=:9090", "--health-probe-bind-address=0.0.0.0:10351"},
			[]string{"--bind-address=127.1.1.1", "--metrics-bind-address=127.1.1.1:9090", "--health-probe-bind-address=127.1.1.1:10351", "--log=/var/log/europe-scheduler.log", "--log-level=warn"},
		},
		"what it says of another's": {
			[]string{"karmada-scheduler", "--metrics-bind-address", "127.0.0.1:9090"},
			[]string{"--metrics-bind-address=127.1.1.1:9090", "--log=/var/log/europe-scheduler.log", "--log-level=warn"},
		},
		"what it does not say": {
			[]string{"karmada-scheduler"},
			[]string{"--log=/var/log/europe-scheduler.log", "--metrics-bind-address=127.1.1.1:8080", "--log-level=warn"},
		},
		"what is not to listen": {
			[]string{"karmada-scheduler", "--metrics-bind-address=0"},
			[]string{"--metrics-bind-address=0", "--log=/var/log/europe-scheduler.log", "--log-level=warn"},
		},
		"etcd's lists of addresses": {
			[]string{"karmada-scheduler", "--listen-client-urls=https://0.0.0.0:2379,http://localhost:2378", "--metrics-bind-address=$(POD_IP):1", "--log=x"},
			[]string{"--listen-client-urls=https://127.1.1.1:2379,http://127.1.1.1:2378", "--metrics-bind-address=127.1.1.1:1", "--log=x", "--log-level=warn"},
		},
		"a flag that is set in any case, and one without a value": {
			[]string{"karmada-scheduler", "--log-level=debug", "--metrics-bind-address=0", "--log=x", "--verbose"},
			[]string{"--log-level=warn", "--metrics-bind-address=0", "--log=x", "--verbose"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := arguments(p, corev1.Container{Command: tt.command}, map[string]string{"POD_IP": "127.1.1.1"}, "europe-scheduler", "127.1.1.1")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
		})
	}
}

func TestACommandThatTheImageDoesNotHaveIsNamed(t *testing.T) {
	_, err := arguments(Program{Image: "etcd", Path: "/cache/etcd"}, corev1.Container{Name: "c", Command: []string{"/bin/sh", "-c", "x"}}, nil, "", "")
	if err == nil || !strings.Contains(err.Error(), `"/bin/sh"`) {
		t.Errorf("error is %v", err)
	}
}

func TestEnvironment(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "etcd-0", Labels: map[string]string{"a": "label"}}}
	from := objects{secrets: map[string]map[string]string{"s": {"k": "secret"}}, configMaps: map[string]map[string]string{"m": {"x": "1", "y": "2"}}}
	ref := func(name string) corev1.LocalObjectReference { return corev1.LocalObjectReference{Name: name} }
	yes := true
	names, values, err := environment(pod, corev1.Container{
		EnvFrom: []corev1.EnvFromSource{{Prefix: "P_", ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: ref("m")}}},
		Env: []corev1.EnvVar{
			{Name: "NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
			{Name: "IP", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "status.podIP"}}},
			{Name: "LABEL", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.labels['a']"}}},
			{Name: "SECRET", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: ref("s"), Key: "k"}}},
			{Name: "NONE", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: ref("none"), Key: "k", Optional: &yes}}},
			{Name: "BOTH", Value: "$(NAME) at $(IP)"},
		},
	}, "127.1.1.1", from)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"P_x", "P_y", "NAME", "IP", "LABEL", "SECRET", "NONE", "BOTH"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	want := map[string]string{"P_x": "1", "P_y": "2", "NAME": "etcd-0", "IP": "127.1.1.1", "LABEL": "label", "SECRET": "secret", "NONE": "", "BOTH": "etcd-0 at 127.1.1.1"}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func TestAVariableThatCannotBeHadIsNamed(t *testing.T) {
	for name, source := range map[string]corev1.EnvVarSource{
		"a missing Secret": {SecretKeyRef: &corev1.SecretKeySelector{Key: "k"}},
		"a missing key":    {ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "m"}, Key: "k"}},
		"an unknown field": {FieldRef: &corev1.ObjectFieldSelector{FieldPath: "status.phase"}},
		"another source":   {ResourceFieldRef: &corev1.ResourceFieldSelector{Resource: "limits.cpu"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := environment(&corev1.Pod{}, corev1.Container{Env: []corev1.EnvVar{{Name: "WANTED", ValueFrom: &source}}}, "",
				objects{configMaps: map[string]map[string]string{"m": {}}})
			if err == nil || !strings.Contains(err.Error(), "WANTED") {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestImages(t *testing.T) {
	all := []Program{{Image: "karmada-scheduler", Tags: []string{"v1.18.2"}}, {Image: "kube-apiserver", Tags: []string{"v1.35", "1.35"}}}
	tests := map[string]struct{ image, want, error string }{
		"any registry will do":                  {image: "mirror.example:5000/k/karmada-scheduler:v1.18.2", want: "karmada-scheduler"},
		"a patch release of the same minor one": {image: "registry.k8s.io/kube-apiserver:v1.35.2", want: "kube-apiserver"},
		"a minor release that begins alike":     {image: "kube-apiserver:v1.350.1", error: "v1.35, 1.35 only"},
		"another version":                       {image: "docker.io/karmada/karmada-scheduler:v1.17.0", error: `"docker.io/karmada/karmada-scheduler:v1.17.0"`},
		"no tag":                                {image: "localhost:5000/karmada-scheduler", error: "v1.18.2 only"},
		"another image":                         {image: "nginx:v1.18.2", error: "it has karmada-scheduler, kube-apiserver"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := program(all, tt.image)
			if tt.error != "" {
				if err == nil || !strings.Contains(err.Error(), tt.error) {
					t.Errorf("error is %v, want one with %q", err, tt.error)
				}
				return
			}
			if err != nil || p.Image != tt.want {
				t.Errorf("it is %q (%v), want %q", p.Image, err, tt.want)
			}
		})
	}
}
