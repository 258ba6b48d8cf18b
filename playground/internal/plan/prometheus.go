package plan

import (
	"fmt"
	"strings"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/process"
)

const (
	prometheusFile = "prometheus.yaml"
	// prometheusKubeconfig is that by which it finds the pods of managed instances.
	prometheusKubeconfig = "prometheus"
)

// prometheus keeps what Karmada reports of its members for a day. Nothing waits for it.
func (p Plan) prometheus() process.Spec {
	port := p.Ports.Prometheus()
	s := p.spec("prometheus", "prometheus", process.TierController, p.Binaries["prometheus"],
		flag("config.file", p.Dir.Config(prometheusFile)),
		flag("storage.tsdb.path", p.Dir.Data("prometheus")),
		flag("web.listen-address", loopback(port)),
		flag("log.level", "warn"),
	)
	s.Config = digest(p.scraped())
	s.Ports = []int{port}
	s.Ready = plain(port, "/-/ready")
	s.Metrics = plain(port, "/metrics")
	return s
}

// scraped is the configuration of Prometheus: the members' numbers come from karmada-controller-manager, and from the
// agent of those in pull mode.
func (p Plan) scraped() string {
	var b strings.Builder
	b.WriteString(`global: {scrape_interval: 10s, scrape_timeout: 5s}
storage: {tsdb: {retention: {time: 1d, size: 256MB}}}
scrape_configs:
- job_name: karmada
  metric_relabel_configs: &members
  - {source_labels: [__name__], regex: 'cluster_(cpu|memory|pod|node|ready)_.+', action: keep}
  static_configs:
`)
	for _, i := range p.Fleet.Instances {
		var targets []string
		if !i.Managed {
			targets = append(targets, loopback(p.Ports.KarmadaMetrics(i.Name)))
		}
		for _, m := range i.Members {
			if m.SyncMode == fleet.Pull {
				targets = append(targets, loopback(p.Ports.AgentMetrics(m.Name)))
			}
		}
		fmt.Fprintf(&b, "  - {targets: [%s], labels: {karmada: %s}}\n", strings.Join(targets, ", "), i.Name)
	}
	if p.Managed {
		fmt.Fprintf(&b, `- job_name: managed
  metric_relabel_configs: *members
  kubernetes_sd_configs:
  - {role: pod, kubeconfig_file: %q, selectors: [{role: pod, label: app.kubernetes.io/name=karmada-controller-manager}]}
  relabel_configs:
  - {source_labels: [__meta_kubernetes_pod_container_port_name], regex: metrics, action: keep}
  - {source_labels: [__meta_kubernetes_pod_label_app_kubernetes_io_instance], target_label: karmada}
`, p.Dir.Kubeconfig(prometheusKubeconfig))
	}
	return b.String()
}
