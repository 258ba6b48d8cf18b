package hooks_test

import (
	"testing"

	"github.com/kairship-io/kairship/internal/hooks"
	"github.com/kairship-io/kairship/internal/hooks/journaltest"
)

// TestTheJournalOfTheTestsIsOne: else they would show nothing of one that is kept in a database.
func TestTheJournalOfTheTestsIsOne(t *testing.T) {
	journal := hooks.NewMemory()
	journaltest.Run(t, func(*testing.T) hooks.Journal { return journal })
}
