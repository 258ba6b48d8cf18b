import { describe, expect, it } from 'vitest';
import type { ImpactRow } from './impact';
import { kindsFor, templateOf } from './making';
import { countsOf, movesOf, moveText, sortedByImpact } from './impact';

const at = (clusterName: string, replicas: number | null = null) => ({ clusterName, replicas });

describe('the picture of a change', () => {
  it('shows every cluster before and after, by name', () => {
    const moves = movesOf({
      before: [at('tokyo', 2), at('hangzhou', 3)],
      after: [at('tokyo', 4), at('singapore', 1)],
    });
    expect(moves.map((move) => [move.cluster, moveText(move), move.tone])).toEqual([
      ['hangzhou', '3 → –', 'bad'],
      ['singapore', '– → 1', 'ok'],
      ['tokyo', '2 → 4', 'busy'],
    ]);
  });

  it('counts no replicas where there are none', () => {
    const moves = movesOf({ before: [at('a'), at('b')], after: [at('b'), at('c')] });
    expect(moves.map((move) => [moveText(move), move.tone])).toEqual([
      ['✓ → –', 'bad'],
      ['✓', 'idle'],
      ['– → ✓', 'ok'],
    ]);
  });

  it('begins with what is lost', () => {
    const rows = (['UNCHANGED', 'GAINED', 'LOST', 'GAINED'] as const).map(
      (change) => ({ change }) as ImpactRow,
    );
    expect(countsOf(rows)).toEqual([
      { change: 'LOST', count: 1 },
      { change: 'GAINED', count: 2 },
      { change: 'UNCHANGED', count: 1 },
    ]);
    expect(sortedByImpact(rows).map(({ change }) => change)).toEqual([
      'LOST',
      'GAINED',
      'GAINED',
      'UNCHANGED',
    ]);
  });
});

describe('making policies', () => {
  type Given = Parameters<typeof kindsFor>[0];
  const instance = (access: Partial<Given['access']>) => ({
    id: 'i',
    name: 'asia',
    access: { propagation: [], clusterPropagation: [], override: [], clusterOverride: [], ...access },
  });

  it.each<[string, Partial<Given['access']>, string[]]>([
    ['nowhere', {}, []],
    ['in some namespaces', { propagation: ['shop'] }, ['PROPAGATION']],
    [
      'cluster-wide ones only everywhere',
      { clusterOverride: ['shop'], clusterPropagation: null },
      ['CLUSTER_PROPAGATION'],
    ],
  ])('is allowed %s', (_, access, want) => {
    expect(kindsFor(instance(access))).toEqual(want);
  });

  it('begins with what has to be filled in', () => {
    expect(templateOf('PROPAGATION', 'PropagationPolicy', 'shop')).toContain('namespace: shop\nspec:');
    expect(templateOf('CLUSTER_OVERRIDE', 'ClusterOverridePolicy', 'shop')).toMatch(
      /name: ""\nspec:[^]*overrideRules:/,
    );
  });
});
