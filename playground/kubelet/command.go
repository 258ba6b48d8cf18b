package kubelet

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// expand replaces $(NAME) by the value of a variable. $$(NAME) stays $(NAME), and an unknown name stays as it is.
func expand(s string, value map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '$' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		switch end := strings.IndexByte(s[i:], ')'); {
		case s[i+1] == '$':
			b.WriteByte('$')
			i++
		case s[i+1] == '(' && end > 0:
			name := s[i+2 : i+end]
			if v, ok := value[name]; ok {
				b.WriteString(v)
			} else {
				b.WriteString(s[i : i+end+1])
			}
			i += end
		default:
			b.WriteByte('$')
		}
	}
	return b.String()
}

// arguments returns what the program of a container is started with: the container's arguments with its variables, made
// to listen at the pod's address.
func arguments(p Program, c corev1.Container, env map[string]string, name, ip string) ([]string, error) {
	all := slices.Concat(c.Command, c.Args)
	if len(c.Command) > 0 {
		if base := path.Base(all[0]); base != path.Base(p.Path) && base != p.Image {
			return nil, fmt.Errorf("container %s: command %q: the image has no program but %s", c.Name, all[0], path.Base(p.Path))
		}
		all = all[1:]
	}
	var args []string
	for _, a := range all {
		args = append(args, expand(a, env))
	}
	args = oneWord(args)
	set := map[string]bool{}
	own := map[string]string{"POD_IP": ip, "NAME": name}
	for i, a := range args {
		flag, v, ok := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if !ok {
			continue
		}
		set[flag] = true
		if forced, ok := p.Flags[flag]; ok {
			v = expand(forced, own)
		}
		args[i] = "--" + flag + "=" + listen(flag, v, ip)
	}
	for _, more := range []map[string]string{p.Defaults, p.Flags} {
		for _, flag := range slices.Sorted(maps.Keys(more)) {
			if !set[flag] {
				args = append(args, "--"+flag+"="+expand(more[flag], own))
			}
		}
	}
	return args, nil
}

// oneWord writes "--flag value" as "--flag=value".
func oneWord(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if strings.HasPrefix(a, "-") && !strings.Contains(a, "=") && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			a += "=" + args[i+1]
			i++
		}
		out = append(out, a)
	}
	return out
}

// listen returns the value of a flag, moved to the pod's address where it says on which address to listen. A pod has no
// other; on a machine that all share, it would take another's port.
func listen(flag, value, ip string) string {
	switch {
	case flag == "bind-address" || flag == "metrics-host":
		return ip
	case strings.HasSuffix(flag, "-bind-address"):
		_, port, err := net.SplitHostPort(value)
		if err != nil { // "0": it is not to listen
			return value
		}
		return net.JoinHostPort(ip, port)
	case strings.HasPrefix(flag, "listen-") && strings.HasSuffix(flag, "-urls"):
		urls := strings.Split(value, ",")
		for i, s := range urls {
			if u, err := url.Parse(s); err == nil && u.Port() != "" {
				u.Host = net.JoinHostPort(ip, u.Port())
				urls[i] = u.String()
			}
		}
		return strings.Join(urls, ",")
	}
	return value
}

// source reads the Secrets and ConfigMaps of the host cluster.
type source interface {
	secret(namespace, name string) (*corev1.Secret, error)
	configMap(namespace, name string) (*corev1.ConfigMap, error)
}

// environment are the variables of a container, in the order given.
func environment(pod *corev1.Pod, c corev1.Container, ip string, from source) (names []string, values map[string]string, err error) {
	values = map[string]string{}
	add := func(name, v string) {
		if _, ok := values[name]; !ok {
			names = append(names, name)
		}
		values[name] = v
	}
	for _, f := range c.EnvFrom {
		data, err := pairs(pod.Namespace, f, from)
		if err != nil {
			return nil, nil, err
		}
		for _, k := range slices.Sorted(maps.Keys(data)) {
			add(f.Prefix+k, data[k])
		}
	}
	for _, e := range c.Env {
		v := expand(e.Value, values)
		if e.ValueFrom != nil {
			if v, err = variable(pod, e, ip, from); err != nil {
				return nil, nil, fmt.Errorf("container %s: variable %s: %w", c.Name, e.Name, err)
			}
		}
		add(e.Name, v)
	}
	return names, values, nil
}

func pairs(namespace string, f corev1.EnvFromSource, from source) (map[string]string, error) {
	out := map[string]string{}
	if r := f.ConfigMapRef; r != nil {
		m, err := from.configMap(namespace, r.Name)
		if err != nil {
			return out, forgive(err, r.Optional)
		}
		maps.Copy(out, m.Data)
	}
	if r := f.SecretRef; r != nil {
		s, err := from.secret(namespace, r.Name)
		if err != nil {
			return out, forgive(err, r.Optional)
		}
		for k, v := range s.Data {
			out[k] = string(v)
		}
	}
	return out, nil
}

// forgive drops the error about something optional.
func forgive(err error, optional *bool) error {
	if optional != nil && *optional {
		return nil
	}
	return err
}

func variable(pod *corev1.Pod, e corev1.EnvVar, ip string, from source) (string, error) {
	switch f := e.ValueFrom; {
	case f.FieldRef != nil:
		return field(pod, f.FieldRef.FieldPath, ip)
	case f.SecretKeyRef != nil:
		r := f.SecretKeyRef
		s, err := from.secret(pod.Namespace, r.Name)
		if err != nil {
			return "", forgive(err, r.Optional)
		}
		if v, ok := s.Data[r.Key]; ok {
			return string(v), nil
		}
		return "", forgive(fmt.Errorf("the Secret %s has no key %q", r.Name, r.Key), r.Optional)
	case f.ConfigMapKeyRef != nil:
		r := f.ConfigMapKeyRef
		m, err := from.configMap(pod.Namespace, r.Name)
		if err != nil {
			return "", forgive(err, r.Optional)
		}
		if v, ok := m.Data[r.Key]; ok {
			return v, nil
		}
		return "", forgive(fmt.Errorf("the ConfigMap %s has no key %q", r.Name, r.Key), r.Optional)
	}
	return "", fmt.Errorf("it comes from where the playground's kubelet cannot read; it can from a field, a Secret or a ConfigMap")
}

// field returns a field of a pod for the downward API.
func field(pod *corev1.Pod, p, ip string) (string, error) {
	switch p {
	case "metadata.name":
		return pod.Name, nil
	case "metadata.namespace":
		return pod.Namespace, nil
	case "metadata.uid":
		return string(pod.UID), nil
	case "spec.nodeName":
		return pod.Spec.NodeName, nil
	case "spec.serviceAccountName":
		return pod.Spec.ServiceAccountName, nil
	case "status.podIP", "status.podIPs":
		return ip, nil
	case "status.hostIP", "status.hostIPs":
		return hostIP, nil
	}
	for prefix, of := range map[string]map[string]string{"metadata.labels['": pod.Labels, "metadata.annotations['": pod.Annotations} {
		if key, ok := strings.CutPrefix(p, prefix); ok {
			return of[strings.TrimSuffix(key, "']")], nil
		}
	}
	return "", fmt.Errorf("the field %q is not known", p)
}
