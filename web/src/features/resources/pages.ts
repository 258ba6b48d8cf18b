import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ResourcesIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { validateResourcesSearch } from './search';

export const resourcesPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/resources',
  validateSearch: validateResourcesSearch,
  component: lazyRouteComponent(() => import('./ResourcesPage'), 'ResourcesPage'),
  staticData: {
    page: {
      title: 'resources.title',
      navigation: { label: 'app.resources', Icon: ResourcesIcon, key: 'r' },
      byInstance: true,
    },
  },
});

export const resourcePage = createRoute({
  getParentRoute: () => signedIn,
  path: '/resources/$instance/$type/$namespace/$name',
  validateSearch: (raw: Record<string, unknown>): { tab?: 'events' | 'yaml' } => ({
    tab: raw.tab === 'yaml' || raw.tab === 'events' ? raw.tab : undefined,
  }),
  component: lazyRouteComponent(() => import('./detail/ResourcePage'), 'ResourcePage'),
  staticData: {
    page: { title: ({ instance, name }) => [name, instance].join(' · ') },
  },
});
