// Package crds carries the CustomResourceDefinitions of group kairship.io, as generated from the types
// in api/v1alpha1, for whoever installs them.
package crds

import "embed"

// Files holds one YAML file per CustomResourceDefinition, at the root.
//
//go:embed *.yaml
var Files embed.FS
