// Package propagation computes the state of a propagated object: whether it is scheduled, applied and healthy, in each
// cluster and as a whole (Of, and for workloads Compute), the state of a workload in one word (State), why it is not
// where or not as it should be (Diagnose), and what override policies changed (Explain). It is pure: a function of the
// template, its binding, the clusters' states and whatever else was read of it. It must not know where these were read,
// nor hold a client, a clock or a cache.
//
// Nothing is TRUE by default. A fact is TRUE when Karmada reported it of the current template, FALSE when it reported
// the opposite, and UNKNOWN when it has not reported, reported on an older generation, or the cluster is unreachable.
//
// What a binding alone shows (Karmada v1.18):
//   - The scheduler records the generation of the binding it has processed, but only when it succeeded. A condition
//     Scheduled=False is therefore valid however old the recorded generation is.
//   - spec.resource.resourceVersion is the template's at its last change outside its status, so an equal one proves
//     that the binding knows this template, and a different one proves nothing.
//   - spec.replicas differing from the template's proves that the binding is behind.
//   - Members report resourceTemplateGeneration for Deployments, StatefulSets and DaemonSets: they hold the current
//     template when it is not older than the template's generation. For Jobs, CronJobs and all other kinds nothing
//     shows this.
//   - An item that is not applied and has no message has not been tried yet.
//   - Karmada reports kinds that it has no health check for as Healthy. Jobs and CronJobs are such kinds; they are
//     judged here by their status instead. Other objects without a check (ConfigMaps, most custom resources) are
//     UNKNOWN with the reason NoHealthCheck: see checks.go.
//
// What Works and member objects add:
//   - A Work reports what its binding will report a moment later, and since when. Karmada does not record the
//     generation that the report is about.
//   - A member's own object takes precedence over what Karmada collected unless it is of an older generation (of the
//     template, then its own, then observed); its health is then judged by the counts, as Karmada does.
//   - An object that the member does not have although Karmada reports it applied is UNKNOWN: one of the two sources
//     is behind.
package propagation
