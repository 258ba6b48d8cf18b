// Package kubeapi reads what the read store does not hold from where it is: the API server of an instance,
// or that of a member through Karmada. It knows which kinds each of them serves. Every read has a
// deadline, a circuit for each API server, and few retries; values of Secrets never leave the package. It
// writes nothing, and does not know what the objects mean.
package kubeapi
