import type { PageSize } from '../../app/search';
import { many, one, pageSizeOf } from '../../app/search';
import type { AuditFilter, AuditOutcome } from '../../graph/generated/graphql';

export const OUTCOMES: readonly AuditOutcome[] = ['SUCCEEDED', 'FAILED', 'REFUSED', 'CANCELLED', 'STARTED'];

/** How far back the list may be asked to go, in hours. */
export const SPANS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
export type Span = keyof typeof SPANS;

/** The whole state of the list, as its address says it. */
export interface AuditSearch {
  instance?: string;
  principal?: string[];
  namespace?: string[];
  action?: string[];
  kind?: string[];
  outcome?: AuditOutcome[];
  /** A moment, so that who is sent the address sees the same. */
  since?: string;
  name?: string;
  after?: string;
  size?: PageSize;
  /** The event that is looked at. */
  event?: string;
}

/** What narrows the list; the instance is picked for every page alike. */
export const NARROWING = ['principal', 'namespace', 'action', 'kind', 'outcome', 'since', 'name'] as const;

export function validateAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const outcomes = many(raw.outcome)?.map((word) => word.toUpperCase());
  const outcome = OUTCOMES.filter((known) => outcomes?.includes(known));
  const since = one(raw.since);
  return {
    instance: one(raw.instance),
    principal: many(raw.principal),
    namespace: many(raw.namespace),
    action: many(raw.action),
    kind: many(raw.kind),
    outcome: outcome.length > 0 ? outcome : undefined,
    since: since && !Number.isNaN(Date.parse(since)) ? new Date(since).toISOString() : undefined,
    name: one(raw.name),
    after: one(raw.after),
    size: pageSizeOf(raw.size),
    event: one(raw.event),
  };
}

export function filterOf(search: AuditSearch): AuditFilter | null {
  const filter: AuditFilter = {
    instances: search.instance ? [search.instance] : undefined,
    principals: search.principal,
    namespaces: search.namespace,
    actions: search.action,
    kinds: search.kind,
    outcomes: search.outcome,
    since: search.since,
    nameContains: search.name,
  };
  return search.instance !== undefined || isNarrowed(search) ? filter : null;
}

export function isNarrowed(search: AuditSearch): boolean {
  return NARROWING.some((key) => search[key] !== undefined);
}

/** The moment a span before now, to the minute. */
export function sinceOf(span: Span, now: number): string {
  return new Date(Math.floor(now / 60_000) * 60_000 - SPANS[span] * 3_600_000).toISOString();
}
