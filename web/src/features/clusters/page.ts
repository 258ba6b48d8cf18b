import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ClustersIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { one } from '../../app/search';

export const clustersPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/clusters',
  validateSearch: (raw: Record<string, unknown>): { instance?: string } => ({ instance: one(raw.instance) }),
  component: lazyRouteComponent(() => import('./ClustersPage'), 'ClustersPage'),
  staticData: {
    page: {
      title: 'clusters.title',
      navigation: { label: 'app.clusters', Icon: ClustersIcon },
      byInstance: true,
    },
  },
});
