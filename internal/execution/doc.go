// Package execution runs the fields of an operation for the generated code in graph/. Fields whose value is in hand are
// written at once; only what waits for an upstream gets goroutines, for gqlgen starts one for each element of a list and
// each field with a resolver, whatever stands behind them.
//
// hack/gqlgen has the generated code call it. It knows no kind of object and no upstream.
package execution
