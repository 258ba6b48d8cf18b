package pedia

// What the tests of this package, and those that stand in for the store, have in common.
var (
	Deployments = deployments
	Everything  = everything
	ClientOf    = client
	RowOf       = row
	ListOf      = list
	DecodeKey   = decodeKey
)
