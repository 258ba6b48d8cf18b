/** The page of a workload: as links name it, and as hooks do. */
export const ROUTE = '/workloads/$instance/$namespace/$kind/$name';
export const FROM = '/signed-in/workloads/$instance/$namespace/$kind/$name';
