import { describe, expect, it } from 'vitest';
import { en } from '../i18n/en';
import { preferredLanguage } from '../i18n';
import { en as fleet } from '../features/clusters/texts/late.en';
import { zh as fleetZh } from '../features/clusters/texts/late.zh';
import { en as detail } from '../features/workloads/detail/texts/en';
import { zh as detailZh } from '../features/workloads/detail/texts/zh';
import { zh } from '../i18n/zh';
import { ageParts } from '../ui/age';
import { en as finding } from '../ui/finding/texts/en';
import { zh as findingZh } from '../ui/finding/texts/zh';
import { localPath } from './paths';

describe('localPath', () => {
  it.each([
    ['/workloads?kind=job', '/workloads?kind=job'],
    ['/graphiql', '/graphiql'],
    ['//elsewhere.example/x', undefined],
    ['https://elsewhere.example', undefined],
    ['/\\elsewhere.example', undefined],
    ['/sign-in?to=/workloads', undefined],
    [undefined, undefined],
  ])('goes from %s to %s after signing in', (to, want) => {
    expect(localPath(to)).toBe(want);
  });
});

describe('ageParts', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  it.each([
    ['2026-03-01T11:59:15Z', 'seconds', 45],
    ['2026-03-01T12:00:09Z', 'seconds', 0],
    ['2026-03-01T11:01:00Z', 'minutes', 59],
    ['2026-03-01T00:00:00Z', 'hours', 12],
    ['2026-02-01T12:00:00Z', 'days', 28],
    ['2023-03-01T12:00:00Z', 'years', 3],
  ])('reads %s as %s: %i', (since, unit, n) => {
    expect(ageParts(since, now)).toEqual({ unit, n });
  });

  it('has no age for what is no time', () => {
    expect(ageParts('yesterday', now)).toBeNull();
  });
});

describe('the words', () => {
  const placeholders = (words: object): Record<string, string> =>
    Object.fromEntries(
      Object.entries(words).flatMap(([key, value]: [string, unknown]) =>
        typeof value === 'string'
          ? [[key, (value.match(/{{\w+}}/g) ?? []).sort().join(' ')]]
          : Object.entries(placeholders(value as object)).map(([inner, used]) => [`${key}.${inner}`, used]),
      ),
    );

  it('of pages that come later take no word of others', () => {
    const keys = [en, fleet, detail, finding].flatMap(Object.keys);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it.each([
    ['the first page', en, zh],
    ['instances and clusters', fleet, fleetZh],
    ['a workload', detail, detailZh],
    ['findings', finding, findingZh],
  ])('of %s say the same things in every language', (_, english, chinese) => {
    // English tells one from many; where it says "1" in words, others still need the number.
    expect(placeholders(chinese)).toEqual(placeholders(english));
  });

  it.each([
    ['zh', ['en-GB'], 'zh'],
    [null, ['fr-FR', 'zh-TW', 'en'], 'zh'],
    [null, ['fr-FR'], 'en'],
    ['klingon', ['en-US'], 'en'],
  ])(
    'are chosen by what was stored (%s), then by what the browser wishes (%j): %s',
    (stored, wished, want) => {
      expect(preferredLanguage(stored, wished)).toBe(want);
    },
  );
});
