import { describe, expect, it } from 'vitest';
import type { ClusterRowFragment } from '../../graph/generated/graphql';
import { bytesText, coresText, shareOf } from './amounts';
import { liveClusters } from './useClusters';

describe('amounts', () => {
  it.each([
    [0, '0 B'],
    [1536, '1.5 KiB'],
    [17_179_869_184, '16 GiB'],
    [137_438_953_472, '128 GiB'],
    [1.5 * 1024 ** 4, '1.5 TiB'],
  ])('says %d bytes as %s', (bytes, want) => {
    expect(bytesText(bytes)).toBe(want);
  });

  it.each([
    [0, '0'],
    [0.25, '0.25'],
    [12.04, '12'],
    [100, '100'],
    [128.4, '128'],
  ])('says %d cores as %s', (cores, want) => {
    expect(coresText(cores)).toBe(want);
  });

  it.each([
    [1, 4, 0.25],
    [5, 4, 1],
    [0, 0, null],
  ])('takes %d of %d for a share of %s', (used, total, want) => {
    expect(shareOf(used, total)).toBe(want);
  });
});

describe('liveClusters', () => {
  const cluster = (id: string, state: ClusterRowFragment['state'] = 'READY') =>
    ({ id, name: id, state }) as ClusterRowFragment;
  const names = (clusters: ClusterRowFragment[] | null) => clusters?.map(({ id, state }) => `${id} ${state}`);

  it('lays the feed over what was read, by name', () => {
    const view = {
      synced: true,
      live: new Map([
        ['b', cluster('b', 'OFFLINE')],
        ['a', cluster('a')],
      ]),
      gone: new Set(['c']),
    };
    expect(names(liveClusters([cluster('b'), cluster('c'), cluster('d')], view))).toEqual([
      'a READY',
      'b OFFLINE',
      'd READY',
    ]);
  });

  it('does not take clusters that could not be read for none', () => {
    expect(liveClusters(null, undefined)).toBeNull();
    expect(liveClusters(null, { synced: false, live: new Map(), gone: new Set() })).toBeNull();
  });

  it('shows the feed alone once it is complete', () => {
    const view = { synced: true, live: new Map([['a', cluster('a')]]), gone: new Set<string>() };
    expect(names(liveClusters(null, view))).toEqual(['a READY']);
  });
});
