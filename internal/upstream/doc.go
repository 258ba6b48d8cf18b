// Package upstream is how Kairship treats whatever it asks: a Breaker stops asking what does not answer,
// Retry asks again what may answer the second time, and a Flight asks once for many. It knows nothing of
// what is asked, nor of the errors: callers say which of them mean what.
//
// The order that makes sense of a read is Retry around Breaker around one attempt with its deadline: each
// attempt counts for the circuit, and an open circuit ends the retrying.
package upstream
