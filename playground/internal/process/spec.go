// Package process describes one program of the fleet (what to run, when it is
// ready, how it stops) and what the operating system says about a running one.
//
// It knows nothing of Kubernetes or Karmada and must not: which programs make a
// fleet, and with which flags, is the business of package plan.
package process

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

// Tier orders stopping: the highest stops first and the next only when it is gone, so that no program loses what it
// depends on while it shuts down.
type Tier int

// The tiers of a fleet, from the ground up.
const (
	TierDatabase Tier = iota // PostgreSQL
	TierStore                // etcd
	TierAPIServer
	TierAggregated // API servers behind another API server
	TierController
	TierProduct // Kairship's own processes
)

// Spec says how to run one program. It travels to the supervisor as JSON.
type Spec struct {
	// Name is unique in the fleet: "asia-apiserver".
	Name string `json:"name"`
	// Group is the cluster or instance it belongs to: "asia".
	Group string   `json:"group,omitempty"`
	Path  string   `json:"path"`
	Args  []string `json:"args"`
	// Env is added to a minimal environment (PATH, HOME, TMPDIR).
	Env  []string `json:"env,omitempty"`
	Dir  string   `json:"dir,omitempty"`
	Tier Tier     `json:"tier"`
	// User, when set, is who runs it. Only root can ask for that.
	User *User `json:"user,omitempty"`
	// Ready answers when the program is ready.
	Ready *Endpoint `json:"ready,omitempty"`
	// Metrics is its Prometheus page, when it has one.
	Metrics *Endpoint `json:"metrics,omitempty"`
	// Ports it listens on, for the message when one is taken.
	Ports []int `json:"ports,omitempty"`
	// Log receives its standard output and error.
	Log string `json:"log"`
	// StopSignal defaults to TERM; PostgreSQL wants INT.
	StopSignal string `json:"stopSignal,omitempty"`
	// StopGrace is how long it may take before it is killed.
	StopGrace Duration `json:"stopGrace,omitempty"`
	// Binary is a fingerprint of the program's file, so that a rebuilt one is
	// noticed. Set by Fingerprint.
	Binary string `json:"binary,omitempty"`
	// Config is a digest of the configuration files the program reads at start.
	Config string `json:"config,omitempty"`
	// Root, when set, is the file system that the program sees in place of the
	// machine's. Path is found on the machine all the same.
	Root *Root `json:"root,omitempty"`
	// Pod names the pod and container that it runs for; empty for what `up` plans.
	Pod string `json:"pod,omitempty"`
}

// Root is a file system of a program's own: what is mounted, the program itself,
// /proc, /dev and an empty /tmp. It takes a mount namespace, so Linux and root.
type Root struct {
	// Dir is an existing folder on which the file system is assembled. Only the program sees what is in it.
	Dir    string  `json:"dir"`
	Mounts []Mount `json:"mounts,omitempty"`
}

// Mount shows a file or folder of the machine to a program.
type Mount struct {
	Source   string `json:"source"`
	Target   string `json:"target"`
	ReadOnly bool   `json:"readOnly,omitempty"`
}

// User is a numeric identity of the operating system.
type User struct {
	UID uint32 `json:"uid"`
	GID uint32 `json:"gid"`
}

// Endpoint is an HTTP(S) page on loopback. An Address without URL is a bare TCP
// port that must accept.
type Endpoint struct {
	URL     string `json:"url,omitempty"`
	Address string `json:"address,omitempty"`
	// CA, Cert and Key are files; without CA the page is not verified, which is acceptable only for a page that carries
	// no secrets and needs no credential.
	CA   string `json:"ca,omitempty"`
	Cert string `json:"cert,omitempty"`
	Key  string `json:"key,omitempty"`
	// Kubeconfig is a file to take these three from, read when they are needed.
	Kubeconfig string `json:"kubeconfig,omitempty"`
	// ServerName is the name that the certificate must have, where that is not the address.
	ServerName string `json:"serverName,omitempty"`
	// Every, Timeout and Failures say how a program that has answered is probed: how often, how long to wait, and how
	// many failures in a row make it unhealthy. Zero for the supervisor's own figures.
	Every    Duration `json:"every,omitempty"`
	Timeout  Duration `json:"timeout,omitempty"`
	Failures int      `json:"failures,omitempty"`
}

// Duration is a time.Duration that is readable in JSON.
type Duration time.Duration

// MarshalJSON writes "10s".
func (d Duration) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Duration(d).String())
}

// UnmarshalJSON reads "10s".
func (d *Duration) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("reading a duration: %w", err)
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("reading a duration: %w", err)
	}
	*d = Duration(v)
	return nil
}

// Hash is equal for two specs that run the same program the same way. A running
// process whose spec's hash differs has to be restarted.
func (s Spec) Hash() string {
	c := s
	// None of these changes what runs.
	c.Ready, c.Metrics, c.Ports = nil, nil, nil
	c.StopGrace, c.StopSignal = 0, ""
	c.Env = slices.Sorted(slices.Values(c.Env))
	b, err := json.Marshal(c)
	if err != nil { // a Spec holds nothing that JSON refuses
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// Digest identifies the content of a program's file: of one that is often built
// anew without having changed.
func Digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("looking at the program %s: %w", path, err)
	}
	defer func() { _ = f.Close() }() // only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("looking at the program %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// Fingerprint identifies the content of a program's file by what changes when it
// is rebuilt. Size and modification time do, and cost no reading of 100 MB.
func Fingerprint(path string) (string, error) {
	i, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("looking at the program %s: %w", path, err)
	}
	return fmt.Sprintf("%d-%d", i.Size(), i.ModTime().UnixNano()), nil
}
