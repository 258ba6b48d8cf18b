import { createRouter } from '@tanstack/react-router';
import { Crashed } from './dead-ends';
import { PAGES } from './pages';
import { root, signedIn, signIn } from './routes';
import { parseSearch, stringifySearch } from './search';

export const router = createRouter({
  routeTree: root.addChildren([signIn, signedIn.addChildren([...PAGES])]),
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
