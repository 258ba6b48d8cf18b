import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ApplyIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { one } from '../../app/search';

/** What the address of the page says. */
export interface ApplySearch {
  instance?: string;
  /** A kind to begin with, of those that there is something of to begin with. */
  begin?: string;
}

export const applyPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/apply',
  validateSearch: (raw: Record<string, unknown>): ApplySearch => ({
    instance: one(raw.instance),
    begin: one(raw.begin),
  }),
  component: lazyRouteComponent(() => import('./ApplyPage'), 'ApplyPage'),
  staticData: {
    page: {
      title: 'apply.title',
      navigation: { label: 'apply.navigation', Icon: ApplyIcon, key: 'y' },
      byInstance: true,
    },
  },
});
