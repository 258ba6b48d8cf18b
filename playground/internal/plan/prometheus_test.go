package plan

import (
	"slices"
	"testing"

	"sigs.k8s.io/yaml"
)

// Every program that tells numbers of members is scraped, and said to be of its instance.
func TestPrometheusScrapesWhatTellsOfMembers(t *testing.T) {
	for name, want := range map[string]map[string][]string{
		"attached": {"asia": {"127.0.0.1:21046", "127.0.0.1:21124"}, "europe": {"127.0.0.1:21066"}},
		// Its controller manager is a pod.
		"managed": {"asia": {"127.0.0.1:21046", "127.0.0.1:21124"}, "europe": nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := plans(t)[name]
			var c struct {
				ScrapeConfigs []struct {
					JobName       string `json:"job_name"`
					StaticConfigs []struct {
						Targets []string
						Labels  map[string]string
					} `json:"static_configs"`
					KubernetesConfigs []struct {
						KubeconfigFile string `json:"kubeconfig_file"`
					} `json:"kubernetes_sd_configs"`
				} `json:"scrape_configs"`
			}
			if err := yaml.Unmarshal([]byte(p.scraped()), &c); err != nil {
				t.Fatalf("%v in\n%s", err, p.scraped())
			}
			for _, s := range c.ScrapeConfigs[0].StaticConfigs {
				if instance := s.Labels["karmada"]; !slices.Equal(want[instance], s.Targets) {
					t.Errorf("%s is scraped at %v, want %v", instance, s.Targets, want[instance])
				}
				delete(want, s.Labels["karmada"])
			}
			if len(want) > 0 {
				t.Errorf("not scraped: %v", want)
			}
			if pods := len(c.ScrapeConfigs) == 2 && c.ScrapeConfigs[1].KubernetesConfigs[0].KubeconfigFile == p.Dir.Kubeconfig("prometheus"); pods != p.Managed {
				t.Errorf("it looks for pods: %t", pods)
			}
		})
	}
}
