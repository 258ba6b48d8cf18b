import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { isSignedIn, standing } from '../features/session/session';
import { Crashed, NotFound } from './dead-ends';
import { localPath } from './paths';
import { one } from './search';
import { SignedIn } from './SignedIn';

export const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: Crashed });

export const signIn = createRoute({
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
  component: lazyRouteComponent(() => import('../features/session/SignInPage'), 'SignInPage'),
});

/** Above every page: it lets in who is signed in. */
export const signedIn = createRoute({
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
