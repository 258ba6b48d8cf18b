import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Change, FeedView } from './feed';
import { ChangeFeed, QUIET_MS } from './feed';

const snapshot = (id: string, node: string): Change<string> => ({ type: 'SNAPSHOT', id, node });
const synced: Change<string> = { type: 'SYNCED', id: null, node: null };

describe('ChangeFeed', () => {
  let told: FeedView<string>[];
  let feed: ChangeFeed<string>;
  const receive = (...changes: Change<string>[]) => {
    for (const change of changes) feed.receive(change);
  };
  const settle = () => vi.advanceTimersByTime(QUIET_MS);
  const last = () => {
    const view = told.at(-1);
    if (!view) throw new Error('nothing was published');
    return { synced: view.synced, live: Object.fromEntries(view.live), gone: [...view.gone] };
  };

  beforeEach(() => {
    vi.useFakeTimers();
    told = [];
    feed = new ChangeFeed<string>((view) => told.push(view));
  });
  afterEach(() => {
    feed.close();
    vi.useRealTimers();
  });

  it('tells the page once for all changes within the quiet time, with the last state of each', () => {
    receive(snapshot('a', 'a1'), snapshot('b', 'b1'), synced);
    for (let n = 2; n <= 50; n++) receive({ type: 'MODIFIED', id: 'a', node: `a${n}` });
    vi.advanceTimersByTime(QUIET_MS - 1);
    expect(told).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(told).toHaveLength(1);
    expect(last()).toEqual({ synced: true, live: { a: 'a50', b: 'b1' }, gone: [] });
  });

  it('tells nothing while nothing happens', () => {
    receive(snapshot('a', 'a1'), synced);
    settle();
    vi.advanceTimersByTime(60_000);
    expect(told).toHaveLength(1);
  });

  it('says what is gone, and takes it back when it returns', () => {
    receive(snapshot('a', 'a1'), synced, { type: 'DELETED', id: 'a', node: 'a1' });
    settle();
    expect(last()).toEqual({ synced: true, live: {}, gone: ['a'] });
    receive({ type: 'ADDED', id: 'a', node: 'a2' });
    settle();
    expect(last()).toEqual({ synced: true, live: { a: 'a2' }, gone: [] });
  });

  const restarts: [string, (feed: ChangeFeed<string>) => void][] = [
    ['a RESYNC', (feed) => feed.receive({ type: 'RESYNC', id: null, node: null })],
    ['a lost connection', (feed) => feed.restart()],
    ['SNAPSHOTs that come again unannounced', () => undefined],
  ];
  it.each(restarts)('after %s, drops what is not told again, and not before SYNCED', (_, restart) => {
    receive(snapshot('a', 'a1'), snapshot('b', 'b1'), synced);
    settle();
    restart(feed);
    receive(snapshot('a', 'a2'));
    settle();
    expect(last()).toEqual({ synced: false, live: { a: 'a2', b: 'b1' }, gone: [] });
    receive(synced);
    settle();
    expect(last()).toEqual({ synced: true, live: { a: 'a2' }, gone: ['b'] });
  });

  it('takes a second SYNCED without SNAPSHOTs for a world that is empty', () => {
    receive(snapshot('a', 'a1'), synced);
    feed.restart();
    receive(synced);
    settle();
    expect(last()).toEqual({ synced: true, live: {}, gone: ['a'] });
  });

  it('keeps what the last SYNCED says of the stream until the next', () => {
    const full = { ...synced, limited: true };
    receive(snapshot('a', 'a1'), full);
    settle();
    receive({ type: 'MODIFIED', id: 'a', node: 'a2' });
    settle();
    expect(told.at(-1)?.end).toBe(full);
    receive({ type: 'RESYNC' }, synced);
    settle();
    expect(told.at(-1)?.end).toBe(synced);
  });

  it('tells nothing after it was closed', () => {
    receive(snapshot('a', 'a1'));
    feed.close();
    settle();
    expect(told).toHaveLength(0);
  });

  it('does not change a view it has given away', () => {
    receive(snapshot('a', 'a1'), synced);
    settle();
    receive({ type: 'DELETED', id: 'a' });
    settle();
    expect(told[0]?.live.get('a')).toBe('a1');
  });
});
