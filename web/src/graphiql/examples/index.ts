import apply from './apply.graphql?raw';
import applyManifest from './apply.yaml?raw';
import fleet from './fleet.graphql?raw';
import scale from './scale.graphql?raw';
import scaleVariables from './scale.json?raw';
import watch from './watch.graphql?raw';
import watchVariables from './watch.json?raw';

export interface Example {
  title: string;
  about: string;
  query: string;
  variables?: string;
}

export const EXAMPLES: readonly Example[] = [
  {
    title: 'Fleet',
    about: 'Instances, clusters and workloads with their state in each cluster',
    query: fleet,
  },
  { title: 'Watch', about: 'Workloads of one instance, live', query: watch, variables: watchVariables },
  {
    title: 'Apply',
    about: 'A namespace, a Deployment and its policy (dry run)',
    query: apply,
    variables: JSON.stringify({ instance: 'asia', dryRun: true, manifests: applyManifest }, null, 2),
  },
  { title: 'Scale', about: 'Replicas of one workload', query: scale, variables: scaleVariables },
];
