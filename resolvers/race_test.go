//go:build race

package resolvers_test

// raceDetector says that the tests run with the race detector, which takes several times as long: walks over all
// that can be asked for take a sample then.
const raceDetector = true
