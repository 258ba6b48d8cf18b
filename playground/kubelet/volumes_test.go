package kubelet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kairship-io/kairship/playground/internal/process"
)

func secretVolume(name, secret string) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: secret}}}
}

func podWith(volumes ...corev1.Volume) *corev1.Pod {
	return &corev1.Pod{Spec: corev1.PodSpec{Volumes: volumes}}
}

// files are what lies in a folder, by path.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMaterialise(t *testing.T) {
	from := objects{
		secrets:    map[string]map[string]string{"cert": {"ca.crt": "certificate", "ca.key": "key"}},
		configMaps: map[string]map[string]string{"policy": {"audit.yaml": "policy"}},
	}
	yes := true
	tests := map[string]struct {
		volume corev1.Volume
		want   map[string]string
		error  string
	}{
		"a Secret": {secretVolume("v", "cert"), map[string]string{"ca.crt": "certificate", "ca.key": "key"}, ""},
		"some keys of a Secret, elsewhere": {corev1.Volume{Name: "v", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{
			SecretName: "cert", Items: []corev1.KeyToPath{{Key: "ca.crt", Path: "tls/ca.pem"}}}}},
			map[string]string{"tls/ca.pem": "certificate"}, ""},
		"a ConfigMap": {corev1.Volume{Name: "v", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
			LocalObjectReference: corev1.LocalObjectReference{Name: "policy"}}}}, map[string]string{"audit.yaml": "policy"}, ""},
		"a projection of both": {corev1.Volume{Name: "v", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
			{Secret: &corev1.SecretProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "cert"}, Items: []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}}}},
			{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "policy"}}},
		}}}}, map[string]string{"ca.crt": "certificate", "audit.yaml": "policy"}, ""},
		"an empty folder":            {corev1.Volume{Name: "v", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}, map[string]string{}, ""},
		"a Secret that is not there": {secretVolume("v", "other"), nil, "volume v"},
		"one that need not be there": {corev1.Volume{Name: "v", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{
			SecretName: "other", Optional: &yes}}}, map[string]string{}, ""},
		"a key that is not there": {corev1.Volume{Name: "v", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{
			SecretName: "cert", Items: []corev1.KeyToPath{{Key: "x", Path: "x"}}}}}, nil, `no key "x"`},
		"a path that leads out": {corev1.Volume{Name: "v", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{
			SecretName: "cert", Items: []corev1.KeyToPath{{Key: "ca.crt", Path: "../../ca.crt"}}}}}, nil, "leads out"},
		"what no process can have": {corev1.Volume{Name: "v", VolumeSource: corev1.VolumeSource{NFS: &corev1.NFSVolumeSource{}}}, nil, "knows Secrets"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			paths, err := materialise(podWith(tt.volume), t.TempDir(), "", from)
			if tt.error != "" {
				if err == nil || !strings.Contains(err.Error(), tt.error) {
					t.Errorf("error is %v, want one with %q", err, tt.error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, files(t, paths["v"])); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatASecretHoldsIsItsOwnersAlone(t *testing.T) {
	paths, err := materialise(podWith(secretVolume("v", "s")), t.TempDir(), "", objects{secrets: map[string]map[string]string{"s": {"k": "v"}}})
	if err != nil {
		t.Fatal(err)
	}
	i, err := os.Stat(filepath.Join(paths["v"], "k"))
	if err != nil {
		t.Fatal(err)
	}
	if i.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v", i.Mode().Perm())
	}
}

func TestAChangedSecretChangesItsFilesAndNoOthers(t *testing.T) {
	dir := t.TempDir()
	pod := podWith(secretVolume("v", "s"))
	write := func(data map[string]string) string {
		paths, err := materialise(pod, dir, "", objects{secrets: map[string]map[string]string{"s": data}})
		if err != nil {
			t.Fatal(err)
		}
		return paths["v"]
	}
	path := write(map[string]string{"same": "1", "changed": "1", "gone": "1"})
	before, err := os.Stat(filepath.Join(path, "same"))
	if err != nil {
		t.Fatal(err)
	}
	nested := filepath.Join(path, "etcd-client") // where another volume is mounted
	if err := os.Mkdir(nested, 0o755); err != nil {
		t.Fatal(err)
	}
	write(map[string]string{"same": "1", "changed": "2", "new": "1"})
	if diff := cmp.Diff(map[string]string{"same": "1", "changed": "2", "new": "1"}, files(t, path)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	after, err := os.Stat(filepath.Join(path, "same"))
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) {
		t.Error("a file that says the same was replaced: whoever watches it woke up")
	}
	if _, err := os.Stat(nested); err != nil {
		t.Errorf("the place of another mount is gone: %v", err)
	}
}

func TestAnEmptyDirKeepsWhatItsPodWrote(t *testing.T) {
	dir := t.TempDir()
	pod := podWith(corev1.Volume{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
	for range 2 {
		paths, err := materialise(pod, dir, "", objects{})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(paths["data"], "wal"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(map[string]string{"wal": "x"}, files(t, filepath.Join(dir, "volumes", "data"))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestMountsAreOrderedByWhatHoldsWhat(t *testing.T) {
	c := corev1.Container{VolumeMounts: []corev1.VolumeMount{
		{Name: "etcd", MountPath: "/etc/karmada/pki/etcd-client", ReadOnly: true},
		{Name: "cert", MountPath: "/etc/karmada/pki"},
		{Name: "cert", MountPath: "/etc/ca.crt", SubPath: "ca.crt"},
	}}
	got, err := mounts(c, map[string]string{"etcd": "/v/etcd", "cert": "/v/cert"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []process.Mount{
		{Source: "/v/cert/ca.crt", Target: "/etc/ca.crt"},
		{Source: "/v/cert", Target: "/etc/karmada/pki"},
		{Source: "/v/etcd", Target: "/etc/karmada/pki/etcd-client", ReadOnly: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mounts (-want +got):\n%s", diff)
	}
	if _, err := mounts(c, map[string]string{"cert": "/v/cert"}, nil); err == nil || !strings.Contains(err.Error(), "mounts etcd") {
		t.Errorf("of a volume that is not there: %v", err)
	}
}
