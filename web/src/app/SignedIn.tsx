import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Provider } from 'urql';
import { makeClient } from '../graph/client';
import { GraphContext } from '../graph/session';
import { Socket } from '../graph/socket';
import { onSessionChange } from '../features/session/session';
import { ToastProvider } from '../ui/action/toast';
import { FleetProvider } from './fleet';
import { forgetRecent } from './palette/recent';
import { Shell } from './Shell';

/** Everything behind the sign-in: it holds the connection, and gives it up when the session ends. */
export function SignedIn() {
  const [session] = useState(() => ({ client: makeClient(), socket: new Socket() }));
  const navigate = useNavigate();
  const here = useRouterState({ select: (state) => state.location.href });

  useEffect(
    () =>
      onSessionChange((reason) => {
        if (reason === null) return;
        session.socket.close();
        forgetRecent();
        void navigate({
          to: '/sign-in',
          search: reason === 'refused' ? { why: 'refused', to: here } : {},
          replace: true,
        });
      }),
    [session, navigate, here],
  );

  return (
    <GraphContext value={session}>
      <Provider value={session.client}>
        <FleetProvider>
          <ToastProvider>
            <Shell />
          </ToastProvider>
        </FleetProvider>
      </Provider>
    </GraphContext>
  );
}
