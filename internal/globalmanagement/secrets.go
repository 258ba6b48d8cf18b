package globalmanagement

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Secrets reads the current secrets for signatures: one, or two during a rotation. Kairship signs with each of them.
type Secrets interface {
	Secrets(ctx context.Context) ([][]byte, error)
}

const (
	// minSecret is the shortest secret, in bytes.
	minSecret = 32
	// maxSecrets is how many are valid at once.
	maxSecrets = 2
	// maxSecretFile is the most that is read of a file with secrets.
	maxSecretFile = 4 << 10
	// objectGoodFor is how long a Secret is cached: otherwise every sender would cause a request to the host cluster.
	objectGoodFor = 5 * time.Second
)

// FileSecrets are the lines of a file, read anew for every request.
type FileSecrets string

// Secrets reads the file.
func (f FileSecrets) Secrets(context.Context) ([][]byte, error) {
	file, err := os.Open(string(f))
	if err != nil {
		return nil, fmt.Errorf("reading the secrets of global management: %w", err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxSecretFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading the secrets of global management: %w", err)
	}
	if len(text) > maxSecretFile {
		return nil, fmt.Errorf("the file with the secrets of global management has more than %d bytes", maxSecretFile)
	}
	return parseSecrets(bytes.Split(text, []byte("\n")))
}

// ObjectSecrets are the values of a Secret in the host cluster, whatever their keys. A change is seen within
// five seconds.
type ObjectSecrets struct {
	reader    client.Reader
	name      client.ObjectKey
	clock     clock.PassiveClock
	mu        sync.Mutex
	known     [][]byte
	knownTill time.Time
}

// NewObjectSecrets reads a Secret by namespace and name.
func NewObjectSecrets(reader client.Reader, name client.ObjectKey, now clock.PassiveClock) *ObjectSecrets {
	return &ObjectSecrets{reader: reader, name: name, clock: now}
}

// Secrets reads the Secret, unless it was just read.
func (o *ObjectSecrets) Secrets(ctx context.Context) ([][]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := o.clock.Now(); now.Before(o.knownTill) && o.known != nil {
		return o.known, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var object corev1.Secret
	if err := o.reader.Get(ctx, o.name, &object); err != nil {
		return nil, fmt.Errorf("reading the Secret %s of global management: %w", o.name, err)
	}
	lines := make([][]byte, 0, len(object.Data))
	for _, value := range object.Data {
		lines = append(lines, value)
	}
	secrets, err := parseSecrets(lines)
	if err != nil {
		return nil, err
	}
	o.known, o.knownTill = secrets, o.clock.Now().Add(objectGoodFor)
	return secrets, nil
}

func parseSecrets(lines [][]byte) ([][]byte, error) {
	var out [][]byte
	for _, line := range lines {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case len(line) < minSecret:
			return nil, fmt.Errorf("a secret of global management has %d bytes; it must have at least %d", len(line), minSecret)
		default:
			out = append(out, line)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("there is no secret of global management")
	}
	if len(out) > maxSecrets {
		return nil, fmt.Errorf("there are %d secrets of global management; at most %d are valid at once", len(out), maxSecrets)
	}
	return out, nil
}
