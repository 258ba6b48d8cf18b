package enter

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/playground/internal/process"
)

func TestMain(m *testing.M) {
	Main()
	if os.Getenv("SHOW") != "" { // this program, run inside
		show()
		return
	}
	os.Exit(m.Run())
}

// show says what is to be seen from inside.
func show() {
	secret, _ := os.ReadFile("/etc/karmada/pki/ca.crt")
	nested, _ := os.ReadFile("/etc/karmada/pki/etcd/tls.key")
	names, _ := os.ReadFile("/etc/hosts")
	_, machine := os.Stat("/root")
	_, err := os.Create("/etc/karmada/pki/new")
	os.Stdout.WriteString(strings.Join([]string{string(secret), string(nested), string(names), os.Args[1]}, "|"))
	if machine == nil {
		os.Stdout.WriteString("|sees the machine's files")
	}
	if err == nil {
		os.Stdout.WriteString("|writes what is read-only")
	}
}

func TestAProgramSeesWhatIsMountedAndNothingElse(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("mount namespaces take Linux and root")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("pki/ca.crt", "certificate")
	write("etcd/tls.key", "key")
	hosts := write("hosts", "127.1.2.3 a.b.svc")
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	mounts := []process.Mount{
		{Source: filepath.Join(dir, "etcd"), Target: "/etc/karmada/pki/etcd", ReadOnly: true},
		{Source: filepath.Join(dir, "pki"), Target: "/etc/karmada/pki", ReadOnly: true},
		{Source: hosts, Target: "/etc/hosts", ReadOnly: true},
	}
	// This program, unlike those of a fleet, may need the machine's libraries.
	for _, path := range []string{"/lib", "/lib64", "/usr/lib"} {
		if _, err := os.Stat(path); err == nil {
			mounts = append(mounts, process.Mount{Source: path, Target: path})
		}
	}
	cmd, err := Command(process.Root{Dir: root, Mounts: mounts}, self, []string{"argument"})
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "SHOW=1")
	out, err := cmd.CombinedOutput()
	if err != nil && strings.Contains(string(out)+err.Error(), "operation not permitted") && os.Getenv("CI") == "" {
		t.Skip("mount namespaces are not permitted here")
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got, want := string(out), "certificate|key|127.1.2.3 a.b.svc|argument"; got != want {
		t.Errorf("from inside: %q, want %q", got, want)
	}
	left, err := os.ReadDir(root)
	if err != nil || len(left) > 0 {
		t.Errorf("outside, %v is left of it (%v)", left, err)
	}
}

func TestAMissingSourceIsNamed(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("mount namespaces take Linux and root")
	}
	dir := t.TempDir()
	cmd, err := Command(process.Root{Dir: dir, Mounts: []process.Mount{{Source: "/nowhere/at/all", Target: "/x"}}}, "/bin/true", nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "/nowhere/at/all") {
		t.Errorf("it says %q (%v)", out, err)
	}
}

func TestWhetherItIsPermittedIsKnownBeforehand(t *testing.T) {
	err := Check(t.Context())
	if runtime.GOOS == "linux" && os.Getuid() != 0 && err == nil {
		t.Error("without root it is said to be permitted")
	}
	if runtime.GOOS != "linux" && err == nil {
		t.Error("without mount namespaces it is said to be permitted")
	}
	if err != nil && strings.TrimSpace(err.Error()) == "" {
		t.Error("it is not said why it is not permitted")
	}
}
