// @vitest-environment jsdom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '../../../app/search';
import { TAB_OPTIONS } from './tabs';

afterEach(cleanup);

it.each([
  ['/w', 'Overview'],
  ['/w?tab=yaml', 'YAML'],
  ['/w?cluster=a', 'Overview'],
  ['/w?tab=yaml&cluster=a', 'YAML'],
])('at %s one tab is current: %s', async (address, want) => {
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: '/w',
    validateSearch: (raw: Record<string, unknown>) => ({
      tab: raw.tab as string | undefined,
      cluster: raw.cluster as string | undefined,
    }),
    component: function Page() {
      const { cluster } = page.useSearch();
      const to = '/w' as string;
      return (
        <>
          <Link to={to} search={{ tab: undefined, cluster } as never} activeOptions={TAB_OPTIONS}>
            Overview
          </Link>
          <Link to={to} search={{ tab: 'yaml', cluster } as never} activeOptions={TAB_OPTIONS}>
            YAML
          </Link>
        </>
      );
    },
  });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch,
    stringifySearch,
  });
  const { container } = render(<RouterProvider router={router as never} />);
  await waitFor(() => expect(container.querySelectorAll('a')).toHaveLength(2));
  const current = [...container.querySelectorAll('[aria-current]')].map((link) => link.textContent);
  expect(current).toEqual([want]);
});
