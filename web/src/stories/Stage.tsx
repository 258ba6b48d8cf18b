import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import type { Operation } from '@urql/core';
import { Client, makeOperation } from '@urql/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Provider } from 'urql';
import { filter, map, pipe } from 'wonka';
import { parseSearch, stringifySearch } from '../app/search';
import { ToastProvider } from '../ui/action/toast';
import type { Story } from './story';

/** A server that answers every request with what the story says in the request's context, or never. */
function client(): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [
      () => (operations) =>
        pipe(
          operations,
          filter(({ kind, variables }) => kind === 'mutation' && answerTo(variables) !== undefined),
          map((operation: Operation) => ({
            operation: makeOperation(operation.kind, operation),
            data: { act: answerTo(operation.variables) },
            stale: false,
            hasNext: false,
          })),
        ),
    ],
  });
}

/** Stories put the answer that they want into the request. */
function answerTo(variables: unknown): unknown {
  return (variables as { input?: { answer?: unknown } }).input?.answer;
}

/** Gives a story what a page has around it: an address, a server, toasts. */
export function Stage({ story }: { story: Story }) {
  const [router] = useState(() => routerOf(story));
  const [graph] = useState(client);
  return (
    <Provider value={graph}>
      <RouterProvider router={router as never} />
    </Provider>
  );
}

function routerOf(story: Story) {
  const root = createRootRoute({
    component: () => (
      <ToastProvider>
        <Outlet />
      </ToastProvider>
    ),
  });
  const page = createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: (raw: Record<string, unknown>) => raw,
    component: function Shown(): ReactNode {
      return story.render();
    },
    staticData: { page: { title: 'workloads.title' } },
  });
  return createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [`/${story.search ?? ''}`] }),
    parseSearch,
    stringifySearch,
  });
}
