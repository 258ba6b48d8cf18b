import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { PoliciesIcon } from '../../app/icons';
import { signedIn } from '../../app/routes';
import { one } from '../../app/search';
import { validatePoliciesSearch } from './search';

export const policiesPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/policies',
  validateSearch: validatePoliciesSearch,
  component: lazyRouteComponent(() => import('./PoliciesPage'), 'PoliciesPage'),
  staticData: {
    page: {
      title: 'policies.title',
      navigation: { label: 'app.policies', Icon: PoliciesIcon, key: 'p' },
      byInstance: true,
    },
  },
});

interface CreateSearch {
  instance?: string;
  policy?: string;
  /** Edited as YAML, in place of by a form. */
  as?: 'yaml';
}

export const policyCreatePage = createRoute({
  getParentRoute: () => signedIn,
  path: '/policies/new',
  validateSearch: (raw: Record<string, unknown>): CreateSearch => ({
    instance: one(raw.instance),
    policy: one(raw.policy),
    as: raw.as === 'yaml' ? raw.as : undefined,
  }),
  component: lazyRouteComponent(() => import('./edit/CreatePage'), 'CreatePage'),
  staticData: { page: { title: 'policyEdit.new', byInstance: true } },
});

interface PolicySearch {
  tab?: 'edit' | 'events' | 'yaml';
  /** Edited as YAML, in place of by a form. */
  as?: 'yaml';
  /** The page of what it claims. */
  after?: string;
}

export const policyPage = createRoute({
  getParentRoute: () => signedIn,
  path: '/policies/$instance/$namespace/$kind/$name',
  validateSearch: (raw: Record<string, unknown>): PolicySearch => ({
    tab: raw.tab === 'yaml' || raw.tab === 'events' || raw.tab === 'edit' ? raw.tab : undefined,
    as: raw.as === 'yaml' ? raw.as : undefined,
    after: one(raw.after),
  }),
  component: lazyRouteComponent(() => import('./detail/PolicyPage'), 'PolicyPage'),
  staticData: {
    page: { title: ({ instance, name }) => [name, instance].join(' · ') },
  },
});
