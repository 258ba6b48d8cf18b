// Package policy says what Karmada's policies mean: what they select, which one wins, in which clusters
// an object under them can go, and which overrides apply where. It repeats the rules of Karmada v1.18
// (pkg/detector, pkg/util/selector.go, pkg/util/overridemanager and the plugins of pkg/scheduler), whose
// own packages bring the scheduler's feature gates and an API server's libraries with them. It is pure:
// policies, objects and clusters in, answers out.
package policy
