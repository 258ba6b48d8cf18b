import { describe, expect, it } from 'vitest';
import { merged } from './merge';

interface Cluster {
  id: string;
  name: string;
  state: string;
}

describe('merged', () => {
  const cluster = (id: string, state = 'READY') => ({ id, name: id, state });
  const names = (clusters: Cluster[] | null) => clusters?.map(({ id, state }) => `${id} ${state}`);

  it('lays the feed over what was read, by name', () => {
    const view = {
      synced: true,
      live: new Map([
        ['b', cluster('b', 'OFFLINE')],
        ['a', cluster('a')],
      ]),
      gone: new Set(['c']),
    };
    expect(names(merged([cluster('b'), cluster('c'), cluster('d')], view))).toEqual([
      'a READY',
      'b OFFLINE',
      'd READY',
    ]);
  });

  it('does not take what could not be read for nothing', () => {
    expect(merged(null, undefined)).toBeNull();
    expect(merged(null, { synced: false, live: new Map(), gone: new Set() })).toBeNull();
  });

  it('shows the feed alone once it is complete', () => {
    const view = { synced: true, live: new Map([['a', cluster('a')]]), gone: new Set<string>() };
    expect(names(merged(null, view))).toEqual(['a READY']);
  });
});
