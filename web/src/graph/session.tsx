import type { Client } from '@urql/core';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { LinkState, Socket } from './socket';

/** What a signed-in page speaks to the server with. */
export interface GraphSession {
  client: Client;
  socket: Socket;
}

export const GraphContext = createContext<GraphSession | null>(null);

export function useGraph(): GraphSession {
  const session = useContext(GraphContext);
  if (!session) throw new Error('useGraph outside a signed-in page');
  return session;
}

export function useSocket(): Socket {
  return useGraph().socket;
}

export function useLinkState(): LinkState {
  const socket = useSocket();
  return useSyncExternalStore(
    (listener) => socket.onState(listener),
    () => socket.state,
  );
}
