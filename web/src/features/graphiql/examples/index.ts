import apply from './apply.graphql?raw';
import applyManifest from './apply.yaml?raw';
import fleet from './fleet.graphql?raw';
import policies from './policies.graphql?raw';
import scale from './scale.graphql?raw';
import scaleVariables from './scale.json?raw';
import search from './search.graphql?raw';
import trace from './trace.graphql?raw';
import watch from './watch.graphql?raw';
import watchVariables from './watch.json?raw';
import why from './why.graphql?raw';

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
  { title: 'Why', about: 'What is not where its policy says, and why', query: why },
  {
    title: 'Trace',
    about: 'One workload from its policy to its pods',
    query: trace,
    variables: JSON.stringify({ instance: 'asia', namespace: 'shop', name: 'storefront' }, null, 2),
  },
  {
    title: 'Policies',
    about: 'What each policy claims and where',
    query: policies,
    variables: JSON.stringify({ instance: 'asia' }, null, 2),
  },
  {
    title: 'Search',
    about: 'Objects by name, everywhere',
    query: search,
    variables: JSON.stringify({ text: 'storefront' }, null, 2),
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
