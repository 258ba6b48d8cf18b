package kubelet

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/state"
)

// secretMode lets nobody but the owner read what a Secret holds.
const secretMode = 0o600

// materialise writes the volumes of a pod into folders and returns them by name.
// It may be repeated: what changed is replaced file by file, what did not is left
// alone, so that nobody who watches a file wakes up for nothing.
func materialise(pod *corev1.Pod, dir, ip string, from source) (map[string]string, error) {
	paths := map[string]string{}
	for _, v := range pod.Spec.Volumes {
		path := filepath.Join(dir, "volumes", v.Name)
		if v.HostPath != nil {
			path = v.HostPath.Path
			if t := v.HostPath.Type; t != nil && *t == corev1.HostPathDirectoryOrCreate {
				if err := os.MkdirAll(path, 0o755); err != nil {
					return nil, fmt.Errorf("volume %s: %w", v.Name, err)
				}
			}
		} else {
			files, err := content(pod, v, ip, from)
			if err != nil {
				return nil, fmt.Errorf("volume %s: %w", v.Name, err)
			}
			if err := os.MkdirAll(path, 0o755); err != nil {
				return nil, fmt.Errorf("volume %s: %w", v.Name, err)
			}
			if v.EmptyDir == nil { // what is in one is the pod's own
				if err := update(path, files); err != nil {
					return nil, fmt.Errorf("volume %s: %w", v.Name, err)
				}
			}
		}
		paths[v.Name] = path
	}
	return paths, nil
}

// content are the files of a volume, by their path in it.
func content(pod *corev1.Pod, v corev1.Volume, ip string, from source) (map[string][]byte, error) {
	switch {
	case v.EmptyDir != nil:
		return nil, nil
	case v.Secret != nil:
		return ofSecret(pod.Namespace, v.Secret.SecretName, v.Secret.Items, v.Secret.Optional, from)
	case v.ConfigMap != nil:
		return ofConfigMap(pod.Namespace, v.ConfigMap.Name, v.ConfigMap.Items, v.ConfigMap.Optional, from)
	case v.Projected != nil:
		all := map[string][]byte{}
		for _, s := range v.Projected.Sources {
			var some map[string][]byte
			var err error
			switch {
			case s.Secret != nil:
				some, err = ofSecret(pod.Namespace, s.Secret.Name, s.Secret.Items, s.Secret.Optional, from)
			case s.ConfigMap != nil:
				some, err = ofConfigMap(pod.Namespace, s.ConfigMap.Name, s.ConfigMap.Items, s.ConfigMap.Optional, from)
			case s.DownwardAPI != nil:
				some = map[string][]byte{}
				for _, item := range s.DownwardAPI.Items {
					if item.FieldRef == nil {
						return nil, errVolume
					}
					text, err := field(pod, item.FieldRef.FieldPath, ip)
					if err != nil {
						return nil, err
					}
					some[item.Path] = []byte(text)
				}
			default:
				return nil, errVolume
			}
			if err != nil {
				return nil, err
			}
			for k, b := range some {
				all[k] = b
			}
		}
		return all, nil
	}
	return nil, errVolume
}

var errVolume = errors.New("the playground's kubelet knows Secrets, ConfigMaps, emptyDirs, hostPaths and projections of these only")

func ofSecret(namespace, name string, items []corev1.KeyToPath, optional *bool, from source) (map[string][]byte, error) {
	s, err := from.secret(namespace, name)
	if err != nil {
		return nil, forgive(err, optional)
	}
	return choose(s.Data, items, optional)
}

func ofConfigMap(namespace, name string, items []corev1.KeyToPath, optional *bool, from source) (map[string][]byte, error) {
	m, err := from.configMap(namespace, name)
	if err != nil {
		return nil, forgive(err, optional)
	}
	data := map[string][]byte{}
	for k, v := range m.Data {
		data[k] = []byte(v)
	}
	for k, v := range m.BinaryData {
		data[k] = v
	}
	return choose(data, items, optional)
}

func choose(data map[string][]byte, items []corev1.KeyToPath, optional *bool) (map[string][]byte, error) {
	if len(items) == 0 {
		return data, nil
	}
	out := map[string][]byte{}
	for _, i := range items {
		b, ok := data[i.Key]
		if !ok {
			if err := forgive(fmt.Errorf("there is no key %q", i.Key), optional); err != nil {
				return nil, err
			}
			continue
		}
		if !filepath.IsLocal(i.Path) {
			return nil, fmt.Errorf("path %q leads out of the volume", i.Path)
		}
		out[i.Path] = b
	}
	return out, nil
}

// update makes the files of a folder those given. Folders stay: others may be
// mounted there.
func update(dir string, files map[string][]byte) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, ok := files[name]; !ok {
			return os.Remove(path)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for name, b := range files {
		path := filepath.Join(dir, name)
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, b) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := state.WriteFile(path, b, secretMode); err != nil {
			return err
		}
	}
	return nil
}

// mounts are what a container sees of its pod's volumes.
func mounts(c corev1.Container, volumes map[string]string, env map[string]string) ([]process.Mount, error) {
	var all []process.Mount
	for _, m := range c.VolumeMounts {
		path, ok := volumes[m.Name]
		if !ok {
			return nil, fmt.Errorf("container %s mounts %s, which is no volume of the pod", c.Name, m.Name)
		}
		if sub := cmp.Or(m.SubPath, expand(m.SubPathExpr, env)); sub != "" {
			if !filepath.IsLocal(sub) {
				return nil, fmt.Errorf("container %s: the path %q leads out of volume %s", c.Name, sub, m.Name)
			}
			path = filepath.Join(path, sub)
		}
		all = append(all, process.Mount{Source: path, Target: m.MountPath, ReadOnly: m.ReadOnly})
	}
	slices.SortStableFunc(all, func(a, b process.Mount) int { return cmp.Compare(len(a.Target), len(b.Target)) })
	return all, nil
}
