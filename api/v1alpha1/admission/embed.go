// Package admission carries the ValidatingAdmissionPolicies of group kairship.io, for whoever installs
// them.
package admission

import "embed"

// Files holds the policies and their bindings, at the root.
//
//go:embed *.yaml
var Files embed.FS
