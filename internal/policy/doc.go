// Package policy evaluates Karmada's policies: what they select, which one takes precedence, which clusters an object
// under them can go to, and which overrides apply where. It repeats the rules of Karmada v1.18 (pkg/detector,
// pkg/util/selector.go, pkg/util/overridemanager and the plugins of pkg/scheduler), whose own packages would bring in
// the scheduler's feature gates and an API server's libraries. It is pure: policies, objects and clusters in, results
// out.
package policy
