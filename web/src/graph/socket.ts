import type { TypedDocumentNode } from '@urql/core';
import { CloseCode, createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import { confirmSession } from '../features/session/check';
import { currentToken, refused } from '../features/session/session';
import { isUnknownDocument, spoken } from './documents';
import type { Problem } from './problems';
import { problemOf } from './problems';

export type LinkState = 'idle' | 'connecting' | 'live' | 'broken';

export interface Sink<Data> {
  next(data: Data): void;
  /** The server ended the stream and says why; it is the caller's to begin again. */
  refused(problems: Problem[]): void;
  /** The socket was lost and is back: the stream begins again with SNAPSHOTs. */
  restarted(): void;
  ended(): void;
}

/** One socket for every live view of a session. */
export class Socket {
  private readonly client: Client;
  private readonly listeners = new Set<() => void>();
  private readonly streams = new Set<{ restarted(): void }>();
  private link: LinkState = 'idle';

  constructor(url: string = socketURL(location)) {
    this.client = createClient({
      url,
      lazy: true,
      lazyCloseTimeout: 5_000,
      keepAlive: 20_000,
      connectionAckWaitTimeout: 15_000,
      retryAttempts: Number.POSITIVE_INFINITY,
      retryWait: (retries) => delay(backoff(retries, Math.random())),
      shouldRetry: (reason) => !isAuthClose(reason),
      connectionParams: () => {
        const token = currentToken();
        return token ? { authorization: `Bearer ${token}` } : {};
      },
      on: {
        connecting: () => {
          if (this.link !== 'broken') this.become('connecting');
        },
        connected: (_socket, _payload, wasRetry) => {
          this.become('live');
          if (wasRetry) for (const stream of this.streams) stream.restarted();
        },
        closed: (event) => {
          if (codeOf(event) === CloseCode.Unauthorized) refused();
          // A socket is refused so to whom nobody knows, and to who has no role.
          if (codeOf(event) === CloseCode.Forbidden) void confirmSession();
          this.become(this.streams.size > 0 ? 'broken' : 'idle');
        },
      },
    });
  }

  get state(): LinkState {
    return this.link;
  }

  onState(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  subscribe<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    sink: Sink<Data>,
  ): () => void {
    const stream = { restarted: () => sink.restarted() };
    this.streams.add(stream);
    let stop = () => {};
    const begin = () => {
      const said = spoken(document);
      stop = this.client.subscribe<Data>(
        { ...said, variables: variables as Record<string, unknown> },
        {
          next: (result) => {
            if (result.data) sink.next(result.data);
            else if (result.errors) sink.refused(result.errors.map(problemOf));
          },
          error: (reason) => {
            if (said.extensions && Array.isArray(reason) && isUnknownDocument(reason)) {
              begin();
              return;
            }
            this.streams.delete(stream);
            sink.refused(problemsOfReason(reason));
          },
          complete: () => {
            this.streams.delete(stream);
            sink.ended();
          },
        },
      );
    };
    begin();
    return () => {
      this.streams.delete(stream);
      stop();
    };
  }

  close(): void {
    this.streams.clear();
    this.listeners.clear();
    void this.client.dispose();
  }

  private become(state: LinkState): void {
    if (state === this.link) return;
    this.link = state;
    for (const listener of [...this.listeners]) listener();
  }
}

export function socketURL(at: Pick<Location, 'protocol' | 'host'>): string {
  return `${at.protocol === 'https:' ? 'wss' : 'ws'}://${at.host}/graphql`;
}

/** Milliseconds before the next attempt: doubling to 15 s, spread so that viewers do not return at once. */
export function backoff(retries: number, random: number): number {
  const ceiling = Math.min(15_000, 500 * 2 ** Math.min(retries, 10));
  return ceiling / 2 + (ceiling / 2) * random;
}

function isAuthClose(reason: unknown): boolean {
  const code = codeOf(reason);
  return code === CloseCode.Unauthorized || code === CloseCode.Forbidden;
}

function codeOf(reason: unknown): unknown {
  return (reason as { code?: unknown } | null)?.code;
}

function problemsOfReason(reason: unknown): Problem[] {
  if (Array.isArray(reason)) return reason.map(problemOf);
  const message = reason instanceof Error ? reason.message : '';
  return [{ code: 'NETWORK', message, retryable: true }];
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
