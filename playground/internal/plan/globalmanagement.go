package plan

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/kairship-io/kairship/playground/internal/state"
)

// GlobalManagementSecret holds the key that events of global management are signed with, in the host.
const GlobalManagementSecret = "global-management" //nolint:gosec // a name

// GlobalManagementKey is the file with the same key, for sending events by hand.
func (p Plan) GlobalManagementKey() string { return p.Dir.Config("global-management-secret") }

// prepareGlobalManagement makes the file, unless it is there: 32 random bytes in hexadecimal digits.
func (p Plan) prepareGlobalManagement() error {
	if _, err := os.Stat(p.GlobalManagementKey()); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return fmt.Errorf("looking for the secret of global management: %w", err)
		}
		return nil
	}
	random := make([]byte, 32)
	rand.Read(random) // never fails
	return state.WriteFile(p.GlobalManagementKey(), []byte(hex.EncodeToString(random)+"\n"), 0o600)
}
