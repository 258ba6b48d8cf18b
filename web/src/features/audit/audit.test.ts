import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '../../app/search';
import type { AuditRow } from './object';
import { durationText, kindText, nameText, placeText } from './object';
import type { AuditSearch } from './search';
import { filterOf, isNarrowed, sinceOf, validateAuditSearch } from './search';

describe('the address of the audit log', () => {
  const cases: [string, string, AuditSearch][] = [
    ['is empty for all of it', '', {}],
    [
      'holds every filter, readable',
      '?instance=asia&principal=kairship%3Aoidc%3Aada&namespace=shop&namespace=web&action=scaleWorkload&kind=Deployment&outcome=REFUSED&since=2026-03-01T12%3A00%3A00.000Z&name=cart',
      {
        instance: 'asia',
        principal: ['kairship:oidc:ada'],
        namespace: ['shop', 'web'],
        action: ['scaleWorkload'],
        kind: ['Deployment'],
        outcome: ['REFUSED'],
        since: '2026-03-01T12:00:00.000Z',
        name: 'cart',
      },
    ],
    ['holds the page and the event', '?after=c&size=100&event=e', { after: 'c', size: 100, event: 'e' }],
  ];
  it.each(cases)('%s', (_, text, search) => {
    expect(defined(validateAuditSearch(parseSearch(text)))).toEqual(search);
    expect(parseSearch(stringifySearch(search as Record<string, unknown>))).toEqual(parseSearch(text));
  });

  it('forgets what it cannot understand, and takes outcomes as people write them', () => {
    const raw = parseSearch('?outcome=refused&outcome=odd&since=yesterday&size=7');
    expect(defined(validateAuditSearch(raw))).toEqual({ outcome: ['REFUSED'] });
  });
});

describe('the filter', () => {
  it('is none when nothing narrows the log', () => {
    expect(filterOf({ after: 'c', size: 100, event: 'e' })).toBeNull();
    expect(isNarrowed({ instance: 'asia' })).toBe(false);
  });

  it('says what the address says', () => {
    expect(
      defined(filterOf({ instance: 'asia', principal: ['a'], kind: ['Pod'], name: 'cart', since: 's' })),
    ).toEqual({ instances: ['asia'], principals: ['a'], kinds: ['Pod'], nameContains: 'cart', since: 's' });
  });

  it('counts back from a whole minute, so that the address does not change by itself', () => {
    expect(sinceOf('day', Date.parse('2026-03-02T12:34:56Z'))).toBe('2026-03-01T12:34:00.000Z');
  });
});

describe('an event', () => {
  const event = (over: Partial<AuditRow>) =>
    ({ instanceName: null, clusterName: null, kind: null, resource: null, ...over }) as AuditRow;

  it.each<[Partial<AuditRow>, string, string, string]>([
    [{}, '', '', ''],
    [
      { instanceName: 'asia', kind: 'Deployment', namespace: 'shop', name: 'cart' },
      'asia',
      'Deployment',
      'shop/cart',
    ],
    [
      { instanceName: 'asia', clusterName: 'tokyo', resource: 'pods', subresource: 'exec', name: 'p' },
      'asia / tokyo',
      'pods/exec',
      'p',
    ],
    [{ instanceName: 'asia', resource: 'pods', namespace: 'shop' }, 'asia', 'pods', 'shop/'],
  ])('%j names what it was done to', (over, place, kind, name) => {
    expect(placeText(event(over))).toBe(place);
    expect(kindText(event(over))).toBe(kind);
    expect(nameText(event(over))).toBe(name);
  });

  it.each([
    [0.0124, '12 ms'],
    [3.25, '3.3 s'],
    [75.4, '1 min 15 s'],
    [7260, '2 h 1 min'],
  ])('that took %f s took %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

function defined(object: object | null): object {
  return Object.fromEntries(Object.entries(object ?? {}).filter(([, value]) => value !== undefined));
}
