import type { PageSize } from '../../app/search';
import { many, one, pageSizeOf } from '../../app/search';
import type { EventFilter, EventType } from '../../graph/generated/graphql';

export const TYPES: readonly EventType[] = ['WARNING', 'NORMAL', 'UNKNOWN'];

/** How far back the list may be asked to go, in minutes. */
export const SPANS = { minutes: 10, half: 30, hour: 60, day: 24 * 60 } as const;
export type Span = keyof typeof SPANS;

/** The whole state of the list, as its address says it. */
export interface EventsSearch {
  instance?: string;
  /** Members whose events are listed instead of those of the control plane. */
  member?: string[];
  type?: EventType[];
  reason?: string[];
  namespace?: string[];
  kind?: string[];
  /** A moment, so that who is sent the address sees the same. */
  since?: string;
  after?: string;
  size?: PageSize;
}

export const NARROWING = ['member', 'type', 'reason', 'namespace', 'kind', 'since'] as const;

export function validateEventsSearch(raw: Record<string, unknown>): EventsSearch {
  const types = many(raw.type)?.map((word) => word.toUpperCase());
  const type = TYPES.filter((known) => types?.includes(known));
  const since = one(raw.since);
  const instance = one(raw.instance);
  return {
    instance,
    // A name of a cluster means nothing without its instance.
    member: instance === undefined ? undefined : many(raw.member),
    type: type.length > 0 ? type : undefined,
    reason: many(raw.reason),
    namespace: many(raw.namespace),
    kind: many(raw.kind),
    since: since && !Number.isNaN(Date.parse(since)) ? new Date(since).toISOString() : undefined,
    after: one(raw.after),
    size: pageSizeOf(raw.size),
  };
}

export function filterOf(search: EventsSearch): EventFilter | null {
  if (!isNarrowed(search)) return null;
  return {
    clusters: search.member,
    types: search.type,
    reasons: search.reason,
    namespaces: search.namespace,
    regardingKinds: search.kind,
    since: search.since,
  };
}

export function isNarrowed(search: EventsSearch): boolean {
  return NARROWING.some((key) => search[key] !== undefined);
}

/** The events of members are not followed, and what is older than a page is not either. */
export function isFollowed({ member, after }: EventsSearch): boolean {
  return member === undefined && after === undefined;
}

/** The moment a span before now, to the minute. */
export function sinceOf(span: Span, now: number): string {
  return new Date(Math.floor(now / 60_000) * 60_000 - SPANS[span] * 60_000).toISOString();
}
