package globalmanagement

import "k8s.io/utils/clock"

// NewMemory is for tests of what a Journal has to do.
func NewMemory() Journal { return newMemory(clock.RealClock{}) }
