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

/** The moment from which a feed goes on where a list ends; the list's own clock, not the browser's. */
export function newestOf(rows: readonly Pick<EventRow, 'lastSeen'>[]): string | undefined {
  return rows.reduce<string | undefined>(
    (newest, { lastSeen }) => (newest === undefined || lastSeen > newest ? lastSeen : newest),
    undefined,
  );
}

/** `shop/cart`, or `cart`; empty where the source does not say. */
export function regardingText({ regarding: { namespace, name } }: Pick<EventRow, 'regarding'>): string {
  return (namespace ? `${namespace}/` : '') + name;
}
