// Package kubeapi makes live reads of what the read store does not hold: from the API server of an instance, or of a
// member through Karmada. It knows which kinds each of them serves. Every read has a deadline, a circuit breaker for
// each API server, and few retries; values of Secrets never leave the package. It writes nothing, and does not know
// what the objects mean.
package kubeapi
