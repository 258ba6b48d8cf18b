import type {
  EventRowFragment,
  EventsLiveSubscription,
  EventsLiveSubscriptionVariables,
  EventType,
} from '../../graph/generated/graphql';
import { EventsLiveDocument } from '../../graph/generated/graphql';
import { compareText } from '../../graph/live/list';
import type { FeedSource } from '../../graph/live/useFeeds';
import type { Tone } from '../../ui/tones';

export type EventRow = EventRowFragment;

export const EVENTS_LIVE: FeedSource<EventsLiveSubscription, EventsLiveSubscriptionVariables, EventRow> = {
  document: EventsLiveDocument,
  change: (data) => data.events,
};

const TONES: Record<EventType, Tone> = { NORMAL: 'idle', WARNING: 'warn', UNKNOWN: 'unknown' };

export function toneOfEvent(type: EventType): Tone {
  return TONES[type];
}

/** The newest first; of the same moment by id, so that nothing jumps. */
export function newestFirst(a: EventRow, b: EventRow): number {
  return compareText(b.lastSeen, a.lastSeen) || compareText(a.id, b.id);
}

/** Those who tell events do so by clocks of their own, many of them in whole seconds. */
const SLACK_MS = 120_000;

/**
 * The moment from which a feed goes on where a list ends: by the list's own clock, not the browser's, and early
 * enough for what was told late. `floor`: nothing before it is wanted.
 */
export function followFrom(
  rows: readonly Pick<EventRow, 'lastSeen'>[],
  floor?: string | null,
): string | undefined {
  const newest = Math.max(...rows.map(({ lastSeen }) => Date.parse(lastSeen)));
  const earliest = floor ? Date.parse(floor) : -Infinity;
  const from = Math.max(newest - SLACK_MS, earliest);
  return Number.isFinite(from) ? new Date(from).toISOString() : undefined;
}

/** `shop/cart`, or `cart`; empty where the source does not say. */
export function regardingText({ regarding: { namespace, name } }: Pick<EventRow, 'regarding'>): string {
  return (namespace ? `${namespace}/` : '') + name;
}
