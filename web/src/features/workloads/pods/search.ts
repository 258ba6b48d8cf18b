import { many, one } from '../../../app/search';
import { podOfKey } from './pod';

/** How far back a log is asked for, in lines of each pod. */
export const TAILS = [100, 500, 1_000, 5_000] as const;
/** Leave out what is older, in minutes. */
export const SPANS = { minutes: 5, hour: 60, day: 24 * 60 } as const;
export type Span = keyof typeof SPANS;
/** The graph follows the logs of at most this many pods at once. */
export const MOST_PODS = 100;

/** What the address of a workload says of its pods. */
export interface PodsSearch {
  /** Pods whose logs are shown, as `cluster/pod`. */
  log?: string[];
  /** The pod that a terminal is open to, as `cluster/pod`. */
  terminal?: string;
  container?: string;
  /** Of the container before its last restart. */
  previous?: true;
  tail?: (typeof TAILS)[number];
  since?: Span;
  /** Only lines that contain it are shown. */
  find?: string;
}

export function validatePodsSearch(raw: Record<string, unknown>): PodsSearch {
  const log = many(raw.log)?.filter(podOfKey).slice(0, MOST_PODS);
  const terminal = one(raw.terminal);
  const since = one(raw.since);
  return {
    log: log && log.length > 0 ? log : undefined,
    terminal: terminal && podOfKey(terminal) ? terminal : undefined,
    container: one(raw.container),
    previous: one(raw.previous) === 'true' || raw.previous === true ? true : undefined,
    tail: TAILS.slice(1).find((tail) => String(tail) === one(raw.tail)),
    since: since && Object.hasOwn(SPANS, since) ? (since as Span) : undefined,
    find: one(raw.find),
  };
}

/** Neither a log nor a terminal. */
export const CLOSED: Record<keyof PodsSearch, undefined> = {
  log: undefined,
  terminal: undefined,
  container: undefined,
  previous: undefined,
  tail: undefined,
  since: undefined,
  find: undefined,
};
