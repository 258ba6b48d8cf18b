import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { WorkloadsIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { many, one } from '../../app/search';
import { validateWorkloadSearch } from './detail/search';
import { validateWorkloadsSearch } from './list/search';

export const workloadsPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/workloads',
  validateSearch: validateWorkloadsSearch,
  component: lazyRouteComponent(() => import('./list/WorkloadsPage'), 'WorkloadsPage'),
  staticData: {
    page: {
      title: 'workloads.title',
      navigation: { label: 'app.workloads', Icon: WorkloadsIcon, key: 'w' },
      byInstance: true,
    },
  },
});

/** What the address of a workload that is to be says. */
interface CreateSearch {
  instance?: string;
  /** The first of each counts: lists of workloads have several. */
  namespace?: string[];
  kind?: string[];
}

export const workloadCreatePage = createRoute({
  getParentRoute: () => signedIn,
  path: '/workloads/new',
  validateSearch: (raw: Record<string, unknown>): CreateSearch => ({
    instance: one(raw.instance),
    namespace: many(raw.namespace),
    kind: many(raw.kind),
  }),
  component: lazyRouteComponent(() => import('./create/CreatePage'), 'CreatePage'),
  staticData: { page: { title: 'workloads.create', byInstance: true } },
});

export const workloadPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/workloads/$instance/$namespace/$kind/$name',
  validateSearch: validateWorkloadSearch,
  component: lazyRouteComponent(() => import('./detail/WorkloadPage'), 'WorkloadPage'),
  staticData: {
    page: { title: ({ instance, namespace, name }) => [name, namespace, instance].join(' · ') },
  },
});
