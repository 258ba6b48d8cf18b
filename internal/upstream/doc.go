// Package upstream makes calls to other servers resilient: a Breaker stops calls to a server that does not answer,
// Retry repeats calls that may succeed the second time, and a Flight shares one call among many callers. It knows
// nothing of the calls or their errors: callers define what the errors mean.
//
// A read should use Retry around Breaker around one attempt with its deadline: each attempt counts for the circuit, and
// an open circuit ends the retries.
package upstream
