// Package propagation says what is true of a propagated object: whether it is scheduled, applied and
// healthy, in each cluster and as a whole (Of, and for workloads Compute), in one word what a workload is
// doing (State), why it is not where or not as it should be (Diagnose), and what override policies
// changed on the way (Explain). It is pure: a function of the template, its binding, the clusters' states
// and whatever else was read of it. It must not know where these were read, nor hold a client, a clock or
// a cache.
//
// Nothing is TRUE by default. A fact is TRUE when Karmada was seen to say so of what the template asks
// now, FALSE when it was seen to say the opposite, and UNKNOWN when it has not said, speaks of an older
// generation, or stands before a cluster that is out of reach.
//
// What can be known from a binding alone (Karmada v1.18):
//   - The scheduler records the generation of the binding it has dealt with, but only when it succeeded.
//     A condition Scheduled=False is therefore its word however old the recorded generation is.
//   - spec.resource.resourceVersion is the template's at its last change outside its status, so that an
//     equal one proves that the binding knows this template, and a different one proves nothing.
//   - spec.replicas differing from the template's proves that the binding is behind.
//   - Members report resourceTemplateGeneration for Deployments, StatefulSets and DaemonSets: what they
//     hold is what the template asks when it is not older than the template's generation. For Jobs,
//     CronJobs and all other kinds nothing says so.
//   - An item that is not applied and carries no message has not been tried yet.
//   - Karmada calls a kind that it has no health check for Healthy. Jobs and CronJobs are such kinds;
//     they are judged here by their status instead. What is no workload and is not checked (ConfigMaps,
//     most custom resources) is UNKNOWN with the reason NoHealthCheck: see checks.go.
//
// What Works and member objects add:
//   - A Work says what its binding will say a moment later, and since when. Karmada does not record of
//     which generation its word is.
//   - A member's own object wins over what Karmada collected unless it is of an older generation (of the
//     template, then its own, then observed); its health is then judged by the numbers, as Karmada does.
//   - What the member does not have although Karmada says that it is applied is UNKNOWN: one of the two
//     sources is behind.
package propagation
