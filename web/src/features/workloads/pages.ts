import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { WorkloadsIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
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

export const workloadPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/workloads/$instance/$namespace/$kind/$name',
  validateSearch: validateWorkloadSearch,
  component: lazyRouteComponent(() => import('./detail/WorkloadPage'), 'WorkloadPage'),
  staticData: {
    page: { title: ({ instance, namespace, name }) => [name, namespace, instance].join(' · ') },
  },
});
