import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { WorkloadsIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { one } from '../../app/search';
import { validateWorkloadsSearch } from './list/search';
import { WorkloadsPage } from './list/WorkloadsPage';
import type { PodsSearch } from './pods/search';
import { validatePodsSearch } from './pods/search';

export const workloadsPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/workloads',
  validateSearch: validateWorkloadsSearch,
  component: WorkloadsPage,
  staticData: {
    page: {
      title: 'workloads.title',
      navigation: { label: 'app.workloads', Icon: WorkloadsIcon },
      byInstance: true,
    },
  },
});

interface WorkloadSearch extends PodsSearch {
  tab?: 'pods' | 'yaml';
  cluster?: string;
}

export const workloadPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/workloads/$instance/$namespace/$kind/$name',
  validateSearch: (raw: Record<string, unknown>): WorkloadSearch => ({
    tab: raw.tab === 'yaml' || raw.tab === 'pods' ? raw.tab : undefined,
    cluster: one(raw.cluster),
    ...validatePodsSearch(raw),
  }),
  component: lazyRouteComponent(() => import('./detail/WorkloadPage'), 'WorkloadPage'),
  staticData: {
    page: { title: ({ instance, namespace, name }) => [name, namespace, instance].join(' · ') },
  },
});
