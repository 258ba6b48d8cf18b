// A list that every instance has a part of: read per instance, followed per instance, shown as one.

import { useMemo } from 'react';
import type { Feed, FeedSource } from '../graph/live/useFeeds';
import { useFeeds } from '../graph/live/useFeeds';
import { isWhole, overlay } from '../graph/live/list';
import type { Problem } from '../graph/problems';
import { useAsOf } from '../ui/page/asOf';
import type { AsOf } from '../ui/page/asOf';
import type { ConnectionView } from '../ui/page/ConnectionPage';

/** What one instance has of the list. */
export interface Slice<Row> {
  instance: string;
  rows: readonly Row[];
  hasPrevious: boolean;
  hasNext: boolean;
  endCursor: string | null;
  totalCount: number | null;
}

interface Answered<Row> {
  name: string;
  list?: {
    nodes: readonly Row[];
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor?: string | null };
    totalCount?: number | null;
  } | null;
}

/** The parts that could be read; those of instances that do not answer are among the problems. */
export function slicesOf<Row>(instances: readonly Answered<Row>[]): Slice<Row>[] {
  return instances.flatMap(({ name, list }) =>
    list
      ? [
          {
            instance: name,
            rows: list.nodes,
            hasPrevious: list.pageInfo.hasPreviousPage,
            hasNext: list.pageInfo.hasNextPage,
            endCursor: list.pageInfo.endCursor ?? null,
            totalCount: list.totalCount ?? null,
          },
        ]
      : [],
  );
}

/** What is followed: all of a part that is on the page as a whole, else the rows that are on it. */
export function followed<Variables>(
  slices: readonly Slice<{ id: string }>[],
  variables: (instance: string, ids: string[] | undefined) => Variables,
): Record<string, Variables> {
  return Object.fromEntries(
    slices
      .filter((slice) => isWhole(slice) || slice.rows.length > 0)
      .map((slice) => [
        slice.instance,
        variables(slice.instance, isWhole(slice) ? undefined : slice.rows.map(({ id }) => id)),
      ]),
  );
}

/** How many there are: counted here where all are here. Null where an instance does not say. */
export function totalOf(slices: readonly Slice<unknown>[], shown: number): number | null {
  if (slices.every(isWhole)) return shown;
  const counts = slices.map(({ totalCount, rows, ...page }) => (isWhole(page) ? rows.length : totalCount));
  return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

interface FleetListOptions<Data, Variables, Row> {
  /** Null until it has been read. */
  slices: readonly Slice<Row>[] | null;
  /** The instance that the list is narrowed to. */
  instance: string | undefined;
  loading: boolean;
  problems: Problem[];
  retry: () => void;
  live: FeedSource<Data, Variables, Row>;
  /** What is asked of the feed of an instance, stable; null where nothing is followed. */
  follow: ((instance: string, ids: string[] | undefined) => Variables) | null;
  /** What passes the filters, where the feed has none of its own. Stable. */
  passes?: (row: Row) => boolean;
  /** The order of the list. Stable. */
  compare: (a: Row, b: Row) => number;
}

export interface FleetListView<Row> extends ConnectionView<Row> {
  totalCount: number | null;
  /** When it was read, also where all of it is followed: for what is beside the rows. */
  readAt: AsOf | undefined;
  /** Instances that have more than is shown: one of them has to be picked to go on. */
  more: string[];
  unwatched: { instance: string; problems: Problem[] }[];
}

export function useFleetList<Data, Variables, Row extends { id: string }>({
  slices,
  instance,
  loading,
  problems,
  retry,
  live,
  follow,
  passes,
  compare,
}: FleetListOptions<Data, Variables, Row>): FleetListView<Row> {
  const feeds = useFeeds(
    live,
    useMemo(() => (slices && follow ? followed(slices, follow) : {}), [slices, follow]),
  );
  const rows = useMemo(
    () => (slices ? laid(slices, feeds, passes, compare) : null),
    [slices, feeds, passes, compare],
  );
  const readAt = useAsOf(loading);
  const whole = slices?.every(isWhole) ?? false;
  const only = instance === undefined ? undefined : slices?.[0];
  return {
    rows,
    loading,
    problems,
    retry,
    totalCount: slices && rows && totalOf(slices, rows.length),
    asOf: whole ? undefined : readAt,
    readAt,
    endCursor: only?.endCursor ?? null,
    hasNext: only?.hasNext ?? false,
    more: only || !slices ? [] : slices.filter(({ hasNext }) => hasNext).map((slice) => slice.instance),
    unwatched: [...feeds]
      .filter(([, feed]) => feed.problems.length > 0)
      .map(([name, feed]) => ({ instance: name, problems: feed.problems })),
  };
}

function laid<Row extends { id: string }>(
  slices: readonly Slice<Row>[],
  feeds: ReadonlyMap<string, Feed<Row>>,
  passes: ((row: Row) => boolean) | undefined,
  compare: (a: Row, b: Row) => number,
): Row[] {
  const rows = overlay(
    slices.flatMap((slice) => slice.rows),
    [...feeds.values()].map(({ view }) => view),
    compare,
  );
  return (passes ? rows.filter(passes) : [...rows]).sort(compare);
}
