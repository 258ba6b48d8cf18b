package globalmanagement_test

import (
	"testing"

	"github.com/kairship-io/kairship/internal/globalmanagement"
	"github.com/kairship-io/kairship/internal/globalmanagement/journaltest"
)

// TestTheJournalOfTheTestsIsOne: else they would show nothing of one that is kept in a database.
func TestTheJournalOfTheTestsIsOne(t *testing.T) {
	journal := globalmanagement.NewMemory()
	journaltest.Run(t, func(*testing.T) globalmanagement.Journal { return journal })
}
