import { useMemo } from 'react';
import { useQuery } from 'urql';
import type { EventRow } from '../../app/events/event';
import { EVENTS_LIVE, followFrom, newestFirst } from '../../app/events/event';
import type { FleetListView } from '../../app/fleetList';
import { slicesOf, useFleetList } from '../../app/fleetList';
import { PAGE_SIZES } from '../../app/search';
import type { EventsLiveSubscriptionVariables } from '../../graph/generated/graphql';
import { EventsDocument, InstanceEventsDocument } from '../../graph/generated/graphql';
import { problemsOf } from '../../graph/problems';
import type { EventsSearch } from './search';
import { filterOf, isFollowed } from './search';

/** A page that is open for long keeps the newest, and lets older ones go. */
const MOST = 1_000;

export function useEvents(search: EventsSearch): FleetListView<EventRow> {
  const { instance } = search;
  const key = JSON.stringify(filterOf(search));
  const variables = useMemo(
    () => ({ first: search.size ?? PAGE_SIZES[0], filter: JSON.parse(key) as ReturnType<typeof filterOf> }),
    [key, search.size],
  );
  const [all, readAll] = useQuery({ query: EventsDocument, variables, pause: instance !== undefined });
  const [of, readOf] = useQuery({
    query: InstanceEventsDocument,
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
    return instances ? slicesOf(instances.map(({ name, events }) => ({ name, list: events }))) : null;
  }, [data]);

  const followed = isFollowed(search);
  const follow = useMemo(() => {
    if (!followed) return null;
    const rows = new Map(slices?.map((slice) => [slice.instance, slice.rows]));
    // What was read is not told again, but for the last of it: the feed goes on where the list ends.
    return (name: string): EventsLiveSubscriptionVariables => ({
      instance: name,
      filter: { ...variables.filter, since: followFrom(rows.get(name) ?? [], variables.filter?.since) },
    });
  }, [followed, slices, variables.filter]);

  const list = useFleetList({
    slices: slices?.length === 0 && error ? null : slices,
    instance,
    loading: fetching || stale,
    problems: useMemo(() => problemsOf(error), [error]),
    retry: () =>
      instance === undefined
        ? readAll({ requestPolicy: 'network-only' })
        : readOf({ requestPolicy: 'network-only' }),
    live: EVENTS_LIVE,
    follow,
    compare: newestFirst,
  });
  return {
    ...list,
    rows: useMemo(() => list.rows?.slice(0, MOST) ?? null, [list.rows]),
    asOf: followed ? undefined : list.readAt,
  };
}
