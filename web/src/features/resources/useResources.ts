import { useCallback, useMemo } from 'react';
import { useQuery } from 'urql';
import type { FleetListView } from '../../app/fleetList';
import { slicesOf, useFleetList } from '../../app/fleetList';
import type { ObjectType } from '../../app/objects';
import { PAGE_SIZES } from '../../app/search';
import type {
  ResourcesLiveSubscription,
  ResourcesLiveSubscriptionVariables,
} from '../../graph/generated/graphql';
import {
  InstanceResourcesDocument,
  ResourcesDocument,
  ResourcesLiveDocument,
} from '../../graph/generated/graphql';
import type { FeedSource } from '../../graph/live/useFeeds';
import { problemsOf } from '../../graph/problems';
import type { ResourcesSearch } from './search';
import { filterOf } from './search';
import type { Row } from './where';
import { compareRows } from './where';

const LIVE: FeedSource<ResourcesLiveSubscription, ResourcesLiveSubscriptionVariables, Row> = {
  document: ResourcesLiveDocument,
  change: (data) => data.resources,
};

/** Objects of one kind: of one instance, or of all that serve it. */
export function useResources(
  search: ResourcesSearch,
  { apiVersion, kind }: ObjectType,
  serving: readonly string[] | null,
): FleetListView<Row> {
  const { instance } = search;
  const key = JSON.stringify(filterOf(search));
  const filter = useMemo(() => JSON.parse(key) as ReturnType<typeof filterOf>, [key]);
  const names = serving?.join(' ') ?? '';
  const [all, readAll] = useQuery({
    query: ResourcesDocument,
    variables: useMemo(
      // A page of each of many instances is as much as one request may cost.
      () => ({ apiVersion, kind, filter, first: PAGE_SIZES[0], names: names.split(' ').filter(Boolean) }),
      [apiVersion, kind, filter, names],
    ),
    pause: instance !== undefined || names === '',
  });
  const [of, readOf] = useQuery({
    query: InstanceResourcesDocument,
    variables: useMemo(
      () => ({
        apiVersion,
        kind,
        filter,
        first: search.size ?? PAGE_SIZES[0],
        instance: instance ?? '',
        after: search.after ?? null,
      }),
      [apiVersion, kind, filter, search.size, instance, search.after],
    ),
    pause: instance === undefined,
  });
  const { data, error, fetching, stale } = instance === undefined ? all : of;
  const slices = useMemo(() => {
    if (!data) return null;
    const instances = 'instances' in data ? data.instances?.nodes : data.instance && [data.instance];
    return instances ? slicesOf(instances.map(({ name, resources }) => ({ name, list: resources }))) : null;
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
      (name: string, ids: string[] | undefined) => ({
        instance: name,
        apiVersion,
        kind,
        ...(ids ? { ids } : { filter }),
      }),
      [apiVersion, kind, filter],
    ),
    compare: compareRows,
  });
  // The rows are told; where their objects are is as of when it was read.
  return { ...list, asOf: list.readAt };
}
