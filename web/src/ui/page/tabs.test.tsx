// @vitest-environment jsdom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '../../app/search';
import { Tabs } from './Tabs';

afterEach(cleanup);

it.each([
  ['/', ['Overview'], ['/', '/?tab=yaml']],
  ['/?tab=yaml', ['YAML'], ['/', '/?tab=yaml']],
  ['/?after=c', ['Overview'], ['/?after=c', '/?tab=yaml']],
])('at %s one tab is current, and each has its address', async (address, want, addresses) => {
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: (raw: Record<string, unknown>) => ({
      tab: raw.tab as string | undefined,
      after: raw.after as string | undefined,
    }),
    component: function Page() {
      const { tab } = page.useSearch();
      const tabs = [
        { tab: undefined, label: 'Overview' },
        { tab: 'yaml', label: 'YAML' },
      ];
      return <Tabs label="Parts" current={tab} tabs={tabs} />;
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
  expect([...container.querySelectorAll('[aria-current]')].map((link) => link.textContent)).toEqual(want);
  expect([...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(addresses);
});
