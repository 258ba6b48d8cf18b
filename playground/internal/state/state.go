// Package state knows where a fleet keeps its files, and what it remembers
// between commands. It must not know what is in those files.
package state

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/kairship-io/kairship/playground/internal/fleet"
)

// Dir is the state folder of one fleet.
type Dir struct{ root string }

// At returns the state folder at a path, which need not exist yet.
func At(path string) (Dir, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Dir{}, fmt.Errorf("finding the state folder: %w", err)
	}
	return Dir{abs}, nil
}

// Root is the folder itself.
func (d Dir) Root() string { return d.root }

// Make creates the folder and those in it.
func (d Dir) Make() error {
	// "data" is made here, before etcd does: that would close it to PostgreSQL's
	// user.
	for _, p := range []string{"", "run", "logs", "audit", "config", "kubeconfig", "pki", "data"} {
		if err := os.MkdirAll(filepath.Join(d.root, p), 0o755); err != nil {
			return fmt.Errorf("making the state folder: %w", err)
		}
	}
	return nil
}

// Where things are.
func (d Dir) Log(name string) string        { return filepath.Join(d.root, "logs", name+".log") }
func (d Dir) Audit(name string) string      { return filepath.Join(d.root, "audit", name+".log") }
func (d Dir) Config(name string) string     { return filepath.Join(d.root, "config", name) }
func (d Dir) Kubeconfig(name string) string { return filepath.Join(d.root, "kubeconfig", name+".yaml") }
func (d Dir) PKI() string                   { return filepath.Join(d.root, "pki") }
func (d Dir) Data(name string) string       { return filepath.Join(d.root, "data", name) }
func (d Dir) ProcessList() string           { return filepath.Join(d.root, "run", "processes") }

// A unix socket's path may be 104 bytes on macOS (108 on Linux), its ending
// zero included.
const maxSocketPath = 103

// Socket is the supervisor's control socket: in the state folder, or, where that
// path would be too long, in the temporary folder under a name made from it.
func (d Dir) Socket() string {
	p := filepath.Join(d.root, "run", "control.sock")
	if len(p) <= maxSocketPath {
		return p
	}
	return filepath.Join(short(), "kairship-"+d.Hash()+".sock")
}

// ConsoleFolder is the folder of the console runner's socket, for which the same holds.
func (d Dir) ConsoleFolder() string {
	p := filepath.Join(d.root, "run", "console")
	if len(p)+20 <= maxSocketPath {
		return p
	}
	return filepath.Join(short(), "kairship-"+d.Hash()+"-console")
}

// short is a folder with a short path; the system's own may be long too.
func short() string {
	if t := os.TempDir(); len(t) < 60 {
		return t
	}
	return "/tmp"
}

// Hash is short and differs between folders.
func (d Dir) Hash() string {
	sum := sha256.Sum256([]byte(d.root))
	return hex.EncodeToString(sum[:6])
}

// Record is what the fleet remembers of how it was started.
type Record struct {
	PortBase  int  `json:"portBase"`
	HTTPPort  int  `json:"httpPort"`
	HTTPSPort int  `json:"httpsPort"`
	Kairship  bool `json:"kairship"`
	// Managed says that the fleet's data has instances that Kairship made.
	Managed bool `json:"managed,omitempty"`
	// Further are the members that were asked for one by one.
	Further []fleet.Further `json:"further,omitempty"`
	// DatabaseDir is PostgreSQL's data folder, outside the state folder when its user cannot reach that.
	DatabaseDir string `json:"databaseDir,omitempty"`
}

// ErrNoRecord means that no fleet was ever started in this folder.
var ErrNoRecord = errors.New("no fleet was started here yet (start one with `playground up`)")

// Load reads what was remembered.
func (d Dir) Load() (Record, error) {
	var r Record
	b, err := os.ReadFile(filepath.Join(d.root, "fleet.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return r, ErrNoRecord
	}
	if err != nil {
		return r, fmt.Errorf("reading the fleet's record: %w", err)
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return r, fmt.Errorf("reading the fleet's record: %w", err)
	}
	return r, nil
}

// Save remembers how the fleet was started.
func (d Dir) Save(r Record) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the fleet's record: %w", err)
	}
	return WriteFile(filepath.Join(d.root, "fleet.json"), append(b, '\n'), 0o644)
}

// WriteFile replaces a file in one step, so that no reader sees half of it.
func WriteFile(path string, content []byte, mode os.FileMode) error {
	// A name of its own: where two write the same file at once, neither is to rename what the other has begun.
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	_, err = tmp.Write(content)
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// Lock is held by one process at a time and freed when it ends, however it does.
type Lock struct{ file *os.File }

// ErrLocked means that another process holds the lock.
var ErrLocked = errors.New("held by another process")

// Lock takes a lock of the folder: "up" (one command at a time) or "supervisor".
func (d Dir) Lock(name string) (*Lock, error) {
	f, err := os.OpenFile(filepath.Join(d.root, "run", name+".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening the lock %s: %w", name, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close() // nothing was written
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, fmt.Errorf("taking the lock %s: %w", name, err)
	}
	return &Lock{f}, nil
}

// Release frees the lock.
func (l *Lock) Release() { _ = l.file.Close() }
