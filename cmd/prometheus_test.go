package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestPrometheusNamesTheFlagThatItRefuses(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	token, empty, text := file("token", "t\n"), file("empty", " \n"), file("text", "no certificate")
	const url = "--prometheus-url=https://prometheus.example.org/prefix"
	for _, c := range []struct {
		name, want string
		args       []string
	}{
		{"nothing", "", nil},
		{"one for all", "", []string{url}},
		{"one for all and one for each of two", "", []string{url, "--prometheus-url=asia=http://10.0.0.1:9090", "--prometheus-url=europe=https://b"}},
		{"as a list", "", []string{url + ",asia=http://10.0.0.1:9090"}},
		{"a token", "", []string{url, "--prometheus-token-file=" + token}},
		{"a token on this machine", "", []string{"--prometheus-url=http://127.0.0.1:9090", "--prometheus-token-file=" + token}},
		{"a label", "", []string{url, "--prometheus-instance-label=fleet"}},
		{"no address", `--prometheus-url is "prometheus"; write URL or INSTANCE=URL`, []string{"--prometheus-url=prometheus"}},
		{"no instance", `--prometheus-url is "A_B=https://a"; write URL or INSTANCE=URL`, []string{"--prometheus-url=A_B=https://a"}},
		{"no address of an instance", `--prometheus-url of instance "asia" is no address`, []string{"--prometheus-url=asia=prometheus"}},
		{"two for all", "--prometheus-url is given twice for all instances", []string{url, "--prometheus-url=https://b"}},
		{"two for one", `--prometheus-url is given twice for instance "asia"`, []string{"--prometheus-url=asia=https://a", "--prometheus-url=asia=https://b"}},
		{"a token that others could read", "which is not https", []string{"--prometheus-url=http://10.0.0.1:9090", "--prometheus-token-file=" + token}},
		{"a token for nobody", "need --prometheus-url", []string{"--prometheus-token-file=" + token}},
		{"certificates for nobody", "need --prometheus-url", []string{"--prometheus-ca-file=" + text}},
		{"no token", "--prometheus-token-file holds no token", []string{url, "--prometheus-token-file=" + empty}},
		{"no certificates", "--prometheus-ca-file holds no certificate", []string{url, "--prometheus-ca-file=" + text}},
		{"no label", "--prometheus-instance-label is", []string{url, "--prometheus-instance-label=a-b"}},
		{"no time", "--prometheus-timeout is 0s; it must be above 0", []string{url, "--prometheus-timeout=0s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var options struct {
				Prometheus Prometheus `embed:"" prefix:"prometheus-"`
			}
			parser, err := kong.New(&options)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = parser.Parse(c.args); err != nil {
				t.Fatal(err)
			}
			err = options.Prometheus.validate()
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("want %q, got %v", c.want, err)
			}
			client, opened := options.Prometheus.open()
			if (client != nil) != (err == nil && len(c.args) > 0) || (opened == nil) != (err == nil) && len(options.Prometheus.URL) > 0 {
				t.Errorf("it opens %v, %v", client, opened)
			}
		})
	}
}
