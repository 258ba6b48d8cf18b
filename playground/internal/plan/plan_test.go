package plan

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kairship-io/kairship/playground/internal/components"
	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/state"
	"github.com/kairship-io/kairship/playground/oidc"
)

func demoPlan(t *testing.T) Plan {
	t.Helper()
	ports, err := fleet.NewPorts(fleet.Demo(), 21000, 8080, 8443)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := state.At(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := dir.Make(); err != nil {
		t.Fatal(err)
	}
	return Plan{
		Fleet: fleet.Demo().Attached(), Ports: ports, Dir: dir, Kairship: "/bin/kairship",
		Database: Database{Program: "/usr/lib/postgresql/bin/postgres", Dir: dir.Data("postgres"), Password: "p0stgres-passw0rd"},
		OIDC:     oidc.Program{Node: "/usr/bin/node", Dir: "/c/oidc"},
		Binaries: map[string]string{
			"etcd": "/c/etcd", "kube-apiserver": "/c/kube-apiserver", "kube-controller-manager": "/c/kube-controller-manager",
			"kube-scheduler": "/c/kube-scheduler", "kwok": "/c/kwok", "prometheus": "/c/prometheus",
			"karmada-webhook": "/c/karmada-webhook", "karmada-aggregated-apiserver": "/c/karmada-aggregated-apiserver",
			"karmada-controller-manager": "/c/karmada-controller-manager", "karmada-scheduler": "/c/karmada-scheduler",
			"karmada-agent":          "/c/karmada-agent",
			"clusterpedia-apiserver": "/c/clusterpedia-apiserver", "clusterpedia-clustersynchro-manager": "/c/synchro",
		},
	}
}

// managedPlan is the same where Karmada's operator runs and makes europe.
func managedPlan(t *testing.T) Plan {
	t.Helper()
	p := demoPlan(t)
	p.Fleet, p.Managed, p.Lifecycle = fleet.Demo(), true, true
	for _, name := range components.Managed() {
		p.Binaries[name] = "/c/" + name
	}
	return p
}

// plans are both.
func plans(t *testing.T) map[string]Plan {
	t.Helper()
	return map[string]Plan{"attached": demoPlan(t), "managed": managedPlan(t)}
}

func find(t *testing.T, p Plan, name string) process.Spec {
	t.Helper()
	for _, s := range p.Specs() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no process %s", name)
	return process.Spec{}
}

func TestTheComponentsHaveTheNamesThatPeopleUse(t *testing.T) {
	var got []string
	for _, s := range demoPlan(t).Specs() {
		got = append(got, s.Name)
	}
	slices.Sort(got)
	want := []string{
		"asia-aggregated-apiserver", "asia-apiserver", "asia-controller-manager", "asia-kube-controller-manager", "asia-scheduler", "asia-webhook",
		"clusterpedia-apiserver", "clusterpedia-synchro", "etcd",
		"europe-aggregated-apiserver", "europe-apiserver", "europe-controller-manager", "europe-kube-controller-manager", "europe-scheduler", "europe-webhook",
		"frankfurt-apiserver", "frankfurt-controller-manager", "frankfurt-kwok", "frankfurt-scheduler",
		"hangzhou-apiserver", "hangzhou-controller-manager", "hangzhou-etcd", "hangzhou-kwok", "hangzhou-scheduler",
		"host-apiserver", "host-controller-manager",
		"kairship-apiserver", "kairship-controller-manager", "oidc", "postgres", "prometheus",
		"singapore-apiserver", "singapore-controller-manager", "singapore-kwok", "singapore-scheduler",
		"tokyo-agent", "tokyo-apiserver", "tokyo-controller-manager", "tokyo-kwok", "tokyo-scheduler",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
}

func TestNoTwoProcessesShareAPort(t *testing.T) {
	holder := map[int]string{}
	for _, s := range append(demoPlan(t).Specs(), find(t, managedPlan(t), "karmada-operator")) {
		if len(s.Ports) == 0 {
			t.Errorf("%s says no port: a taken one could not be named", s.Name)
		}
		for _, port := range s.Ports {
			if other, taken := holder[port]; taken {
				t.Errorf("port %d is of %s and of %s", port, other, s.Name)
			}
			holder[port] = s.Name
			if port != 8080 && port != 8443 && (port < 21000 || port >= 21000+fleet.PortRange) {
				t.Errorf("port %d of %s lies outside the fleet's range", port, s.Name)
			}
		}
	}
}

func TestEveryProcessListensOnLoopbackOnly(t *testing.T) {
	for _, s := range append(demoPlan(t).Specs(), find(t, managedPlan(t), "karmada-operator")) {
		for _, a := range s.Args {
			name, value, _ := strings.Cut(a, "=")
			if !strings.HasSuffix(name, "address") && !strings.HasSuffix(name, "-urls") && name != "--metrics-host" && name != "listen_addresses" {
				continue
			}
			if !strings.Contains(value, "127.0.0.1") {
				t.Errorf("%s would listen elsewhere: %s", s.Name, a)
			}
		}
	}
}

// What a flag names must be there when the program starts.
func TestPrepareWritesEveryFileThatAFlagNames(t *testing.T) {
	for name, p := range plans(t) {
		t.Run(name, func(t *testing.T) { prepareWritesEveryFile(t, p) })
	}
}

func prepareWritesEveryFile(t *testing.T, p Plan) {
	t.Helper()
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, s := range p.Specs() {
		for _, a := range s.Args {
			name, path, _ := strings.Cut(a, "=")
			if !strings.HasPrefix(path, p.Dir.Root()) || name == "--audit-log-path" || name == "--data-dir" || name == "--storage.tsdb.path" {
				continue
			}
			checked++
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %s: %v", s.Name, name, err)
			}
		}
		if s.Root != nil {
			for _, m := range append(s.Root.Mounts, process.Mount{Source: s.Root.Dir}) {
				if _, err := os.Stat(m.Source); err != nil {
					t.Errorf("%s sees %s: %v", s.Name, m.Target, err)
				}
			}
		}
		for _, e := range []*process.Endpoint{s.Ready, s.Metrics} {
			if e == nil || e.CA == "" {
				continue
			}
			for _, path := range []string{e.CA, e.Cert, e.Key} {
				if path == "" {
					continue // the page asks nobody for a certificate
				}
				if _, err := os.Stat(path); err != nil {
					t.Errorf("%s: %v", s.Name, err)
				}
			}
		}
	}
	if checked < 80 {
		t.Errorf("only %d files were checked", checked)
	}
}

func TestPreparingAgainChangesNothing(t *testing.T) {
	p := demoPlan(t)
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	path := p.Dir.Kubeconfig("kairship-asia")
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) {
		t.Error("a kubeconfig was written again although it was right")
	}
}

// Kairship accepts nothing else in an Instance's Secret.
func TestKairshipsPortsMayBeOthersInAStateFolderOfBefore(t *testing.T) {
	for name, p := range plans(t) {
		t.Run(name, func(t *testing.T) {
			for _, first := range []int{18975, 18977} {
				ports, err := fleet.NewPorts(fleet.Demo(), 21000, first, first+1)
				if err != nil {
					t.Fatal(err)
				}
				p.Ports = ports
				if err := p.Prepare(); err != nil {
					t.Fatal(err)
				}
			}
			// An address of before would be in what a process is told or in a file that it reads.
			old := []string{"18975", "18976"}
			for _, s := range p.Specs() {
				for _, word := range append(slices.Clone(s.Args), s.Env...) {
					if slices.ContainsFunc(old, func(a string) bool { return strings.Contains(word, a) }) {
						t.Errorf("%s is started with %s", s.Name, word)
					}
				}
			}
			err := filepath.WalkDir(p.Dir.Root(), func(path string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				raw, err := os.ReadFile(path)
				if slices.ContainsFunc(old, func(a string) bool { return strings.Contains(string(raw), a) }) {
					t.Errorf("%s holds an address of before", path)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestKairshipsKubeconfigHoldsEverythingInline(t *testing.T) {
	p := demoPlan(t)
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.LoadFromFile(p.Dir.Kubeconfig("kairship-asia"))
	if err != nil {
		t.Fatal(err)
	}
	cluster, user := config.Clusters["asia"], config.AuthInfos["asia"]
	if cluster.Server != "https://127.0.0.1:21040" || len(cluster.CertificateAuthorityData) == 0 || cluster.CertificateAuthority != "" || cluster.InsecureSkipTLSVerify {
		t.Errorf("cluster: %+v", cluster)
	}
	if len(user.ClientCertificateData) == 0 || len(user.ClientKeyData) == 0 || user.ClientCertificate != "" || user.Exec != nil {
		t.Error("the user's certificate and key are not both inline")
	}
}

func TestWhatStandsOnSomethingStopsBeforeIt(t *testing.T) {
	p := demoPlan(t)
	for _, order := range [][2]string{
		{"kairship-apiserver", "clusterpedia-apiserver"}, {"kairship-apiserver", "asia-apiserver"}, {"kairship-apiserver", "oidc"},
		{"asia-controller-manager", "asia-apiserver"}, {"asia-aggregated-apiserver", "asia-apiserver"},
		{"hangzhou-kwok", "hangzhou-apiserver"}, {"asia-apiserver", "etcd"}, {"hangzhou-apiserver", "hangzhou-etcd"},
		{"clusterpedia-synchro", "postgres"}, {"clusterpedia-apiserver", "postgres"}, {"etcd", "postgres"},
	} {
		if first, second := find(t, p, order[0]), find(t, p, order[1]); first.Tier <= second.Tier {
			t.Errorf("%s (tier %d) would not stop before %s (tier %d)", first.Name, first.Tier, second.Name, second.Tier)
		}
	}
}

func TestAMemberForDrillsHasAnEtcdOfItsOwn(t *testing.T) {
	p := demoPlan(t)
	server := func(name string) string {
		for _, a := range find(t, p, name).Args {
			if v, ok := strings.CutPrefix(a, "--etcd-servers="); ok {
				return v
			}
		}
		return ""
	}
	if server("hangzhou-apiserver") == server("asia-apiserver") {
		t.Error("hangzhou shares the store of its instance: stopping one would stop the other")
	}
	if server("singapore-apiserver") != server("asia-apiserver") {
		t.Error("singapore does not share the store")
	}
}

func TestKairshipIsStartedByItsContract(t *testing.T) {
	p := demoPlan(t)
	dir := p.Dir.Root()
	want := []string{
		"apiserver",
		"--host-kubeconfig=" + dir + "/kubeconfig/kairship-host.yaml",
		"--clusterpedia-kubeconfig=" + dir + "/kubeconfig/kairship-clusterpedia.yaml",
		"--namespace=kairship-system",
		"--admin-groups=kairship:host:system:serviceaccounts:kairship-admins",
		"--token-audience=kairship",
		"--instance-networks=127.0.0.0/8",
		"--oidc-issuer=https://127.0.0.1:21013",
		"--oidc-audiences=kairship",
		"--oidc-name=the playground",
		"--oidc-client-secret-file=" + dir + "/config/oidc-client-secret",
		"--oidc-ca-file=" + dir + "/pki/kairship/ca.crt",
		"--public-url=http://127.0.0.1:8080",
		"--kubeconfig-url=https://127.0.0.1:8443", "--prometheus-url=http://127.0.0.1:21015",
		"--kubeconfig-ca-file=" + dir + "/pki/kairship/ca.crt",
		"--database-dsn=host=127.0.0.1 port=21006 user=kairship dbname=postgres sslmode=disable",
		"--database-password-file=" + dir + "/config/database-password",
		"--global-management-secret=global-management",
		"--http-address=127.0.0.1:8080",
		"--https-address=127.0.0.1:8443",
		"--tls-cert-file=" + dir + "/pki/kairship/server.crt",
		"--tls-private-key-file=" + dir + "/pki/kairship/server.key",
		"--telemetry-address=127.0.0.1:21014",
	}
	direct := []string{
		"--store-dsn=host=127.0.0.1 port=21006 user=kairship_reader dbname=clusterpedia sslmode=disable",
		"--store-password-file=" + dir + "/config/store-reader-password",
	}
	if diff := cmp.Diff(append(slices.Clone(want), direct...), find(t, p, "kairship-apiserver").Args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	p.ThroughAPI = true
	if diff := cmp.Diff(want, find(t, p, "kairship-apiserver").Args); diff != "" {
		t.Errorf("arguments to read through the API (-want +got):\n%s", diff)
	}
}

func TestThePlaceToSignInKnowsKairshipsDoors(t *testing.T) {
	p := demoPlan(t)
	dir := p.Dir.Root()
	want := []string{
		"/c/oidc/server.js",
		"--issuer=https://127.0.0.1:21013",
		"--tls-cert-file=" + dir + "/pki/kairship/oidc.crt",
		"--tls-private-key-file=" + dir + "/pki/kairship/oidc.key",
		"--data-dir=" + dir + "/data/oidc",
		"--users-file=/c/oidc/users.json",
		"--password-file=" + dir + "/config/oidc-password",
		"--client-secret-file=" + dir + "/config/oidc-client-secret",
		"--redirect-uri=http://127.0.0.1:8080/auth/callback",
		"--redirect-uri=https://127.0.0.1:8443/auth/callback",
		"--post-logout-redirect-uri=http://127.0.0.1:8080/",
		"--post-logout-redirect-uri=https://127.0.0.1:8443/",
	}
	if diff := cmp.Diff(want, find(t, p, "oidc").Args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

func TestWithoutKairshipNoneOfItsProcessesRuns(t *testing.T) {
	p := demoPlan(t)
	p.Kairship = ""
	for _, s := range p.Specs() {
		if s.Group == "kairship" {
			t.Errorf("%s is planned", s.Name)
		}
	}
}

func TestThePasswordIsNotOnACommandLine(t *testing.T) {
	p := demoPlan(t)
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	secrets := []string{p.Database.Password}
	for _, path := range []string{p.OIDCPassword(), p.OIDCClientSecret(), p.GlobalManagementKey()} {
		secret, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, strings.TrimSpace(string(secret)))
	}
	for _, s := range p.Specs() {
		for _, secret := range secrets {
			if strings.Contains(strings.Join(append(s.Args, s.Env...), " "), secret) {
				t.Errorf("everybody on the machine can read the password of %s", s.Name)
			}
		}
	}
}

func TestTheSecretOfGlobalManagementIsMadeOnce(t *testing.T) {
	p := demoPlan(t)
	var made []string
	for range 2 {
		if err := p.Prepare(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(p.GlobalManagementKey())
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, string(text))
	}
	if made[0] != made[1] || len(strings.TrimSpace(made[0])) != 64 {
		t.Errorf("%d characters, then %d", len(made[0]), len(made[1]))
	}
	info, err := os.Stat(p.GlobalManagementKey())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v, %v", info, err)
	}
}

func TestOnlyMembersThatCrashKnowHow(t *testing.T) {
	p := demoPlan(t)
	for _, m := range fleet.Demo().Members() {
		stages, err := kube.Decode(m.Name, []byte(p.kwokConfig(m)))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range stages {
			names = append(names, s.GetName())
		}
		if got := slices.Contains(names, "pod-crash"); got != m.Crashes {
			t.Errorf("%s: pods can crash: %v, want %v (stages %v)", m.Name, got, m.Crashes, names)
		}
		if strings.Contains(p.kwokConfig(m), "#selector") {
			t.Errorf("%s: a stage was not completed", m.Name)
		}
	}
}
