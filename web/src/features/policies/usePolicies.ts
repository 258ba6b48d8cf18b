import { useCallback, useMemo } from 'react';
import { useQuery } from 'urql';
import type { FleetListView } from '../../app/fleetList';
import { slicesOf, useFleetList } from '../../app/fleetList';
import { PAGE_SIZES } from '../../app/search';
import type {
  PoliciesLiveSubscription,
  PoliciesLiveSubscriptionVariables,
  PolicyReachQuery,
} from '../../graph/generated/graphql';
import {
  InstancePoliciesDocument,
  PoliciesDocument,
  PoliciesLiveDocument,
  PolicyReachDocument,
} from '../../graph/generated/graphql';
import type { FeedSource } from '../../graph/live/useFeeds';
import { problemsOf } from '../../graph/problems';
import type { PoliciesSearch, Row } from './search';
import { comparison, filterOf, orderByOf, passes } from './search';

const LIVE: FeedSource<PoliciesLiveSubscription, PoliciesLiveSubscriptionVariables, Row> = {
  document: PoliciesLiveDocument,
  change: (data) => data.policies,
};

/** As long a page of each of many instances as one request may ask for. */
const MOST_OF_EACH = 100;

/** The clusters that a policy reaches, and how many workloads it claims. */
export interface Reach {
  clusters: readonly string[] | null;
  workloads: number | null;
}

export interface PoliciesView extends FleetListView<Row> {
  reach: ReadonlyMap<string, Reach>;
}

export function usePolicies(search: PoliciesSearch): PoliciesView {
  const { instance } = search;
  const key = JSON.stringify([filterOf(search), orderByOf(search)]);
  const variables = useMemo(() => {
    const [filter, orderBy] = JSON.parse(key) as [ReturnType<typeof filterOf>, ReturnType<typeof orderByOf>];
    const first = search.size ?? PAGE_SIZES[0];
    return { first: instance === undefined ? Math.min(first, MOST_OF_EACH) : first, filter, orderBy };
  }, [key, search.size, instance]);
  const [all, readAll] = useQuery({
    query: PoliciesDocument,
    variables,
    pause: instance !== undefined,
  });
  const [of, readOf] = useQuery({
    query: InstancePoliciesDocument,
    variables: useMemo(
      () => ({ ...variables, instance: instance ?? '', after: search.after ?? null }),
      [variables, instance, search.after],
    ),
    pause: instance === undefined,
  });
  const { data, error, fetching, stale } = instance === undefined ? all : of;
  const slices = useMemo(() => {
    if (!data) return null;
    const instances = 'instances' in data ? data.instances?.nodes : data.instance && [data.instance];
    return instances ? slicesOf(instances.map(({ name, policies }) => ({ name, list: policies }))) : null;
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
    follow: useCallback((name: string, ids: string[] | undefined) => ({ instance: name, ids }), []),
    passes: useCallback((row: Row) => passes(search, row), [search]),
    compare: useMemo(() => comparison(search), [search]),
  });
  const reach = useReach(list.rows);
  return {
    ...list,
    retry: () => {
      list.retry();
      reach.read();
    },
    asOf: list.readAt,
    reach: reach.known,
  };
}

/** What the policies on a page reach: beside the list, which does not wait for it. */
function useReach(rows: readonly Row[] | null) {
  const key = (rows ?? [])
    .slice(0, 200)
    .map(({ id }) => id)
    .join(' ');
  const [{ data }, read] = useQuery({
    query: PolicyReachDocument,
    variables: useMemo(() => ({ ids: key.split(' ').filter(Boolean) }), [key]),
    pause: key === '',
  });
  const known = useMemo(() => reachOf(data), [data]);
  return { known, read: () => key !== '' && read({ requestPolicy: 'network-only' }) };
}

function reachOf(data: PolicyReachQuery | undefined): ReadonlyMap<string, Reach> {
  const known = new Map<string, Reach>();
  for (const node of data?.nodes ?? []) {
    if (!node || !('matched' in node)) continue;
    known.set(node.id, {
      clusters: node.clusters?.map(({ name }) => name) ?? null,
      workloads: node.matched?.totalCount ?? null,
    });
  }
  return known;
}
