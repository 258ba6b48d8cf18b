// The rows of a page: read from the store, with what the live feeds know laid over them.

import type { FeedView } from '../../../graph/live/feed';
import type { PageWindow } from '../../../graph/live/list';
import { compareText, isWhole, overlay as overlayIn } from '../../../graph/live/list';
import type {
  WorkloadFilter,
  WorkloadOrder,
  WorkloadRowFragment,
  WorkloadsLiveSubscriptionVariables,
} from '../../../graph/generated/graphql';

export type Row = WorkloadRowFragment;

/**
 * What is followed of a page, by instance. Of a list that is all on it everything that passes the filter, so that
 * what is new appears; of a page of a longer list the rows on it and no others.
 */
export function watchedOf(
  page: readonly Row[],
  window: PageWindow,
  instances: readonly string[],
  filter: WorkloadFilter | undefined,
): Record<string, WorkloadsLiveSubscriptionVariables> {
  if (isWhole(window)) {
    return Object.fromEntries(instances.map((instance) => [instance, { instance, filter }]));
  }
  const watched: Record<string, { instance: string; ids: string[] }> = {};
  for (const { id, instance } of page) {
    if (instance) (watched[instance.name] ??= { instance: instance.name, ids: [] }).ids.push(id);
  }
  return watched;
}

/** Lays feeds over a page, in the order of the list. */
export function overlay(page: readonly Row[], feeds: readonly FeedView<Row>[], order?: WorkloadOrder): Row[] {
  return overlayIn(page, feeds, comparison(order));
}

/** The orders of the contract. */
function comparison(order: WorkloadOrder | undefined): (a: Row, b: Row) => number {
  if (order?.field !== 'CREATED_AT') return compareNames;
  const sign = order.direction === 'DESC' ? -1 : 1;
  return (a, b) => sign * (compareText(a.createdAt, b.createdAt) || compareNames(a, b));
}

/** By instance, namespace, name and kind, by code point. */
function compareNames(a: Row, b: Row): number {
  return (
    compareText(a.instance?.name ?? '', b.instance?.name ?? '') ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.kind, b.kind)
  );
}
