import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { validateAuditSearch } from '../audit/search';
import { isSignedIn, standing } from '../session/session';
import { validateWorkloadsSearch } from '../workloads/search';
import { WorkloadsPage } from '../workloads/WorkloadsPage';
import { Crashed, NotFound } from './dead-ends';
import { localPath } from './paths';
import { one, parseSearch, stringifySearch } from './search';
import { SignedIn } from './SignedIn';

const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: Crashed });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>): { to?: string; why?: 'refused' } => ({
    to: localPath(one(raw.to)),
    why: raw.why === 'refused' ? 'refused' : undefined,
  }),
  beforeLoad: async ({ search }) => {
    if (search.why === 'refused' || !(await isSignedIn())) return;
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how this router redirects
    throw redirect({ href: search.to ?? '/', replace: true });
  },
  loader: standing,
  component: lazyRouteComponent(() => import('../session/SignInPage'), 'SignInPage'),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    if (await isSignedIn()) return;
    const here = location.href;
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how this router redirects
    throw redirect({ to: '/sign-in', search: here === '/' ? {} : { to: here }, replace: true });
  },
  component: SignedIn,
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how this router redirects
    throw redirect({ to: '/workloads', replace: true });
  },
});

const workloads = createRoute({
  getParentRoute: () => signedIn,
  path: '/workloads',
  validateSearch: validateWorkloadsSearch,
  component: WorkloadsPage,
});

export const WORKLOAD_TABS = ['overview', 'yaml'] as const;

const workload = createRoute({
  getParentRoute: () => signedIn,
  path: '/workloads/$instance/$namespace/$kind/$name',
  validateSearch: (
    raw: Record<string, unknown>,
  ): { tab?: (typeof WORKLOAD_TABS)[number]; cluster?: string } => ({
    tab: raw.tab === 'yaml' ? 'yaml' : undefined,
    cluster: one(raw.cluster),
  }),
  component: lazyRouteComponent(() => import('../workload/WorkloadPage'), 'WorkloadPage'),
});

const clusters = createRoute({
  getParentRoute: () => signedIn,
  path: '/clusters',
  validateSearch: (raw: Record<string, unknown>): { instance?: string } => ({ instance: one(raw.instance) }),
  component: lazyRouteComponent(() => import('../clusters/ClustersPage'), 'ClustersPage'),
});

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  validateSearch: validateAuditSearch,
  component: lazyRouteComponent(() => import('../audit/AuditPage'), 'AuditPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([signIn, signedIn.addChildren([home, workloads, workload, clusters, audit])]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: Crashed,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
