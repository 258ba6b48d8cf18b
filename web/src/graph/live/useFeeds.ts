import { useEffect, useMemo, useState } from 'react';
import type { TypedDocumentNode } from '@urql/core';
import type { Problem } from '../problems';
import { useSocket } from '../session';
import type { Change, FeedView } from './feed';
import { ChangeFeed, EMPTY_VIEW } from './feed';

/** After a refused stream: wait, then ask again. */
const RETRY_MS = 10_000;

export interface FeedSource<Data, Variables, T, C extends Change<T> = Change<T>> {
  document: TypedDocumentNode<Data, Variables>;
  change: (data: Data) => C | null | undefined;
}

export interface Feed<T, C extends Change<T> = Change<T>> {
  view: FeedView<T, C>;
  /** Why this feed does not run now; empty when it does. */
  problems: Problem[];
}

interface FeedEntry<T, C extends Change<T>> extends Feed<T, C> {
  key: string;
}

/**
 * One subscription per set of variables, alive while the component is. `subscriptions` is keyed by what
 * the caller wants to find the feed by; each value's variables are compared by content.
 */
export function useFeeds<Data, Variables, T, C extends Change<T> = Change<T>>(
  source: FeedSource<Data, Variables, T, C>,
  subscriptions: Readonly<Record<string, Variables>>,
): ReadonlyMap<string, Feed<T, C>> {
  const socket = useSocket();
  const wanted = JSON.stringify(subscriptions);
  const [entries, setEntries] = useState<ReadonlyMap<string, FeedEntry<T, C>>>(new Map());

  useEffect(() => {
    const stops = Object.entries(JSON.parse(wanted) as Record<string, Variables>).map(([name, variables]) => {
      const key = JSON.stringify(variables);
      const update = (change: Partial<Feed<T, C>>) =>
        setEntries((before) => {
          const old = before.get(name);
          const base = old?.key === key ? old : { key, view: EMPTY_VIEW, problems: [] };
          return new Map(before).set(name, { ...base, ...change });
        });
      return runFeed(source, socket, variables, update);
    });
    return () => {
      for (const stop of stops) stop();
    };
  }, [source, socket, wanted]);

  return useMemo(() => {
    // What an earlier filter told must not be laid over the rows of this one.
    const now = JSON.parse(wanted) as Record<string, Variables>;
    return new Map([...entries].filter(([name, entry]) => entry.key === JSON.stringify(now[name])));
  }, [entries, wanted]);
}

type Subscribe = ReturnType<typeof useSocket>;

function runFeed<Data, Variables, T, C extends Change<T>>(
  source: FeedSource<Data, Variables, T, C>,
  socket: Subscribe,
  variables: Variables,
  update: (change: Partial<Feed<T, C>>) => void,
): () => void {
  let stopped = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let unsubscribe = () => {};
  const feed = new ChangeFeed<T, C>((view) => update({ view, problems: [] }));

  const begin = () => {
    unsubscribe = socket.subscribe(source.document, variables, {
      next: (data) => {
        const change = source.change(data);
        if (change) feed.receive(change);
      },
      restarted: () => feed.restart(),
      refused: (problems) => again(problems),
      ended: () => again([]),
    });
  };
  const again = (problems: Problem[]) => {
    if (stopped) return;
    unsubscribe();
    update({ problems });
    feed.restart();
    clearTimeout(retry);
    retry = setTimeout(begin, RETRY_MS);
  };

  begin();
  return () => {
    stopped = true;
    clearTimeout(retry);
    feed.close();
    unsubscribe();
  };
}
