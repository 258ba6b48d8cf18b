import type { WorkloadEventFragment, WorkloadEventsQuery } from '../../../../graph/generated/graphql';
import type { FeedView } from '../../../../graph/live/feed';

export type EventRow = WorkloadEventFragment;

/** All events in the answer: of the control plane, and of the members with their pods. Null until it was read. */
export function readEvents(node: WorkloadEventsQuery['node'] | undefined): EventRow[] | null {
  if (!node || !('events' in node)) return null;
  return [
    ...(node.events?.nodes ?? []),
    ...(node.propagation?.targets ?? []).flatMap(({ events, pods }) => [
      ...(events?.nodes ?? []),
      ...(pods?.nodes ?? []).flatMap((pod) => pod.events?.nodes ?? []),
    ]),
  ];
}

/** The objects in the control plane that a workload's events are about. */
export interface About {
  kind: string;
  name: string;
  binding?: string;
}

function isAbout({ regarding: { kind, name } }: EventRow, about: About): boolean {
  return (
    (kind === about.kind && name === about.name) ||
    (kind.endsWith('ResourceBinding') && name === about.binding)
  );
}

interface Wanted {
  about: About;
  cluster?: string;
  warnings?: boolean;
}

/** What was read with what is told since laid over it; the newest first. */
export function eventRows(
  read: readonly EventRow[] | null,
  feed: FeedView<EventRow> | undefined,
  { about, cluster, warnings }: Wanted,
): EventRow[] | null {
  if (!read && !feed?.synced) return null;
  const rows = new Map((read ?? []).map((row) => [row.id, row]));
  for (const [id, row] of feed?.live ?? []) if (isAbout(row, about)) rows.set(id, row);
  for (const id of feed?.gone ?? []) rows.delete(id);
  return [...rows.values()]
    .filter(
      (row) =>
        (cluster === undefined || row.cluster?.name === cluster) && (!warnings || row.type === 'WARNING'),
    )
    .sort((a, b) => (a.lastSeen < b.lastSeen ? 1 : a.lastSeen > b.lastSeen ? -1 : a.id < b.id ? -1 : 1));
}
