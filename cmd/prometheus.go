package cmd

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/internal/prometheus"
)

// Prometheus configures where the history of what clusters report is read.
type Prometheus struct {
	URL           []string      `name:"url" help:"Prometheus, or what speaks its API, that scrapes the Karmadas: http or https. INSTANCE=URL for one of that instance alone; both may be given, and repeated for more instances. Empty: none, and no charts over time." placeholder:"[INSTANCE=]URL"`
	InstanceLabel string        `help:"Label whose value is the name of the instance, in the Prometheus of all instances. In one of an instance alone no label is matched." default:"karmada" placeholder:"LABEL"`
	TokenFile     string        `help:"File with a bearer token that is sent to every --prometheus-url; it is read again as it changes. Empty: none." type:"existingfile" placeholder:"FILE"`
	CAFile        string        `name:"ca-file" help:"Certificates that those of --prometheus-url have to come from, PEM. Empty: those of the system." type:"existingfile" placeholder:"FILE"`
	Timeout       time.Duration `help:"Longest that one answer may take. Who asks waits 1.3 s at most, and finds a later answer when they ask again." default:"5s"`
}

func (p *Prometheus) validate() error {
	if len(p.URL) == 0 && (p.TokenFile != "" || p.CAFile != "") {
		return errors.New("--prometheus-token-file and --prometheus-ca-file need --prometheus-url")
	}
	_, err := p.open()
	return err
}

// open makes the client; nil when there is no Prometheus. It sends nothing yet.
func (p *Prometheus) open() (*prometheus.Client, error) {
	if len(p.URL) == 0 {
		return nil, nil //nolint:nilnil // there is none
	}
	if p.Timeout <= 0 {
		return nil, fmt.Errorf("--prometheus-timeout is %s; it must be above 0", p.Timeout)
	}
	cfg := prometheus.Config{URLs: map[string]string{}, InstanceLabel: p.InstanceLabel, TokenFile: p.TokenFile, Timeout: p.Timeout, Logger: slog.Default()}
	for _, value := range p.URL {
		instance, address, err := instanceURL(value)
		switch {
		case err != nil:
			return nil, err
		case instance == "" && cfg.URL != "":
			return nil, errors.New("--prometheus-url is given twice for all instances; write INSTANCE=URL for one of an instance alone")
		case instance == "":
			cfg.URL = address
		case cfg.URLs[instance] != "":
			return nil, fmt.Errorf("--prometheus-url is given twice for instance %q", instance)
		default:
			cfg.URLs[instance] = address
		}
	}
	if p.TokenFile != "" {
		if token, err := secretOf(p.TokenFile); err != nil || token == "" {
			return nil, errors.Join(errors.New("--prometheus-token-file holds no token"), err)
		}
	}
	if p.CAFile != "" {
		var err error
		if cfg.CA, err = os.ReadFile(p.CAFile); err != nil {
			return nil, fmt.Errorf("--prometheus-ca-file: %w", err)
		}
	}
	return prometheus.New(cfg)
}

// instanceURL reads a value of --prometheus-url; instance is empty where it is for all of them.
func instanceURL(value string) (instance, address string, err error) {
	if strings.HasPrefix(value, "http://") || strings.HasPrefix(value, "https://") {
		return "", value, nil
	}
	instance, address, both := strings.Cut(value, "=")
	if !both || address == "" || len(validation.IsDNS1123Label(instance)) > 0 {
		return "", "", fmt.Errorf("--prometheus-url is %q; write URL or INSTANCE=URL, such as https://prometheus.example.org or asia=https://prometheus.example.org", value)
	}
	return instance, address, nil
}
