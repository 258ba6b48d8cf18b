import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../app/events/event';
import { followFrom, newestFirst, regardingText } from '../../app/events/event';
import { parseSearch, stringifySearch } from '../../app/search';
import { filterOf, isFollowed, isNarrowed, sinceOf, validateEventsSearch } from './search';

const event = (id: string, lastSeen: string) => ({ id, lastSeen }) as EventRow;

describe('the address of the events', () => {
  it('holds every filter, readable', () => {
    const text =
      '?instance=asia&member=tokyo&type=WARNING&reason=BackOff&namespace=shop&kind=Pod&since=2026-03-01T12%3A00%3A00.000Z';
    const search = validateEventsSearch(parseSearch(text));
    expect(parseSearch(stringifySearch(search as Record<string, unknown>))).toEqual(parseSearch(text));
    expect(filterOf(search)).toEqual({
      clusters: ['tokyo'],
      types: ['WARNING'],
      reasons: ['BackOff'],
      namespaces: ['shop'],
      regardingKinds: ['Pod'],
      since: '2026-03-01T12:00:00.000Z',
    });
  });

  it('forgets a cluster without its instance, and what it cannot understand', () => {
    const search = validateEventsSearch(parseSearch('?member=tokyo&type=warning&type=odd&since=soon'));
    expect(search).toMatchObject({ member: undefined, type: ['WARNING'], since: undefined });
  });

  it('narrows nothing by the instance alone', () => {
    expect(isNarrowed({ instance: 'asia' })).toBe(false);
    expect(filterOf({ instance: 'asia' })).toBeNull();
  });

  it.each([
    [{}, true],
    [{ type: ['WARNING' as const] }, true],
    [{ instance: 'asia', member: ['tokyo'] }, false],
    [{ instance: 'asia', after: 'c' }, false],
  ])('%j is followed: %s', (search, want) => {
    expect(isFollowed(search)).toBe(want);
  });

  it('counts back from a whole minute', () => {
    expect(sinceOf('minutes', Date.parse('2026-03-02T12:34:56Z'))).toBe('2026-03-02T12:24:00.000Z');
  });
});

describe('events', () => {
  const rows = [
    event('b', '2026-01-01T00:00:01Z'),
    event('a', '2026-01-01T00:00:01Z'),
    event('c', '2026-01-01T00:00:02Z'),
  ];

  it('stand the newest first', () => {
    expect([...rows].sort(newestFirst).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  });

  it.each<[string, EventRow[], string | undefined, string | undefined]>([
    ['a little before the newest that was read', rows, undefined, '2025-12-31T23:58:02.000Z'],
    ['not before what is asked for', rows, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
    ['the beginning where nothing was read', [], undefined, undefined],
    ['what is asked for where nothing was read', [], '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ])('are followed from %s', (_, read, floor, want) => {
    expect(followFrom(read, floor)).toBe(want);
  });

  it.each([
    [{ namespace: 'shop', name: 'cart' }, 'shop/cart'],
    [{ namespace: null, name: 'tokyo' }, 'tokyo'],
    [{ namespace: null, name: '' }, ''],
  ])('name what they are about: %j', (regarding, want) => {
    expect(regardingText({ regarding } as unknown as EventRow)).toBe(want);
  });
});
