import { useCallback, useMemo } from 'react';
import { useQuery } from 'urql';
import type { FleetListView } from '../../app/fleetList';
import { slicesOf, useFleetList } from '../../app/fleetList';
import { PAGE_SIZES } from '../../app/search';
import type {
  NamespacesLiveSubscription,
  NamespacesLiveSubscriptionVariables,
} from '../../graph/generated/graphql';
import {
  InstanceNamespacesDocument,
  NamespaceContentsDocument,
  NamespacesDocument,
  NamespacesLiveDocument,
} from '../../graph/generated/graphql';
import type { FeedSource } from '../../graph/live/useFeeds';
import { useToldAgain } from '../../graph/live/useToldAgain';
import { problemsOf } from '../../graph/problems';
import type { Contents, Row } from './namespace';
import { compareRows, contentsOf } from './namespace';
import type { NamespacesSearch } from './search';
import { filterOf } from './search';

const LIVE: FeedSource<NamespacesLiveSubscription, NamespacesLiveSubscriptionVariables, Row> = {
  document: NamespacesLiveDocument,
  change: (data) => data.resources,
};

/** As many ids as one request may ask for. */
const MOST = 200;

export interface NamespacesView extends FleetListView<Row> {
  contents: ReadonlyMap<string, Contents>;
}

/** Namespaces of one control plane or of all: they come and go by themselves, what is in them is as of when it was read. */
export function useNamespaces(search: NamespacesSearch): NamespacesView {
  const { instance, name } = search;
  const filter = useMemo(() => filterOf({ name }), [name]);
  const [all, readAll] = useQuery({
    query: NamespacesDocument,
    // A page of each of many instances is as much as one request may cost.
    variables: useMemo(() => ({ filter, first: PAGE_SIZES[0] }), [filter]),
    pause: instance !== undefined,
  });
  const [of, readOf] = useQuery({
    query: InstanceNamespacesDocument,
    variables: useMemo(
      () => ({
        filter,
        instance: instance ?? '',
        first: search.size ?? PAGE_SIZES[0],
        after: search.after ?? null,
      }),
      [filter, instance, search.size, search.after],
    ),
    pause: instance === undefined,
  });
  const { data, error, fetching, stale } = instance === undefined ? all : of;
  const slices = useMemo(() => {
    if (!data) return null;
    const instances = 'instances' in data ? data.instances?.nodes : data.instance && [data.instance];
    return instances ? slicesOf(instances.map(({ name, namespaces }) => ({ name, list: namespaces }))) : null;
  }, [data]);

  const list = useFleetList({
    slices: slices?.length === 0 && error ? null : slices,
    instance,
    loading: fetching || stale,
    problems: useMemo(() => problemsOf(error), [error]),
    retry: () =>
      instance === undefined
        ? readAll({ requestPolicy: 'network-only' })
        : readOf({ requestPolicy: 'network-only' }),
    live: LIVE,
    follow: useCallback(
      (name: string, ids: string[] | undefined) => ({ instance: name, ...(ids ? { ids } : { filter }) }),
      [filter],
    ),
    compare: compareRows,
  });
  const contents = useContents(list.rows);
  return {
    ...list,
    retry: () => {
      list.retry();
      contents.read();
    },
    asOf: list.readAt,
    contents: contents.known,
  };
}

/** What is in the namespaces of a page: beside the list, which does not wait for it. */
function useContents(rows: readonly Row[] | null) {
  const key = (rows ?? [])
    .slice(0, MOST)
    .map(({ id }) => id)
    .join(' ');
  const [{ data, fetching, stale }, read] = useQuery({
    query: NamespaceContentsDocument,
    variables: useMemo(() => ({ ids: key.split(' ').filter(Boolean) }), [key]),
    pause: key === '',
  });
  const known = useMemo(() => contentsOf(data?.nodes), [data]);
  // One that changes may be going away.
  const versions = rows?.map(({ id, resourceVersion }) => `${id} ${resourceVersion ?? ''}`).join(' ') ?? null;
  useToldAgain(versions, fetching || stale, () => key !== '' && read({ requestPolicy: 'network-only' }));
  return { known, read: () => key !== '' && read({ requestPolicy: 'network-only' }) };
}
