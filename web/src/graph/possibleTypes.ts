/** Which types implement which interface: the cache matches fragments with it. Tested against ../schema. */
export const possibleTypes: Record<string, string[]> = {
  Node: [
    'Instance',
    'Cluster',
    'Deployment',
    'StatefulSet',
    'DaemonSet',
    'Job',
    'CronJob',
    'PropagationPolicy',
    'ClusterPropagationPolicy',
  ],
  KubernetesObject: [
    'Deployment',
    'StatefulSet',
    'DaemonSet',
    'Job',
    'CronJob',
    'PropagationPolicy',
    'ClusterPropagationPolicy',
  ],
  Workload: ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'],
  Policy: ['PropagationPolicy', 'ClusterPropagationPolicy'],
};
