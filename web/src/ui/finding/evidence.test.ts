import { describe, expect, it } from 'vitest';
import type { FindingFieldsFragment } from '../../graph/generated/graphql';
import { affinitiesOf, compare, groupsOf, halvesOf, labelsOf, subjectOf, taintsOf } from './evidence';

describe('subjectOf', () => {
  it.each([
    ['Cluster tokyo', { kind: 'Cluster', name: 'tokyo' }],
    ['PropagationPolicy shop/cart', { kind: 'PropagationPolicy', namespace: 'shop', name: 'cart' }],
    ['Pod shop/cart-1 in tokyo', { kind: 'Pod', namespace: 'shop', name: 'cart-1', cluster: 'tokyo' }],
  ])('takes %s apart', (object, want) => {
    expect(subjectOf(object)).toEqual({ namespace: undefined, cluster: undefined, ...want });
  });

  it('takes nothing for what is no name', () => {
    expect(subjectOf('no policy at all')).toBeNull();
    expect(subjectOf('')).toBeNull();
  });
});

describe('affinitiesOf', () => {
  it('reads everything that an affinity asks for', () => {
    const json = JSON.stringify({
      labelSelector: {
        matchLabels: { compliance: 'pci' },
        matchExpressions: [{ key: 'edge', operator: 'DoesNotExist' }],
      },
      fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['asia', 'europe'] }] },
      clusterNames: ['tokyo'],
      exclude: ['osaka'],
    });
    expect(affinitiesOf(json)).toEqual([
      {
        name: '',
        requirements: [
          { of: 'label', key: 'compliance', operator: 'In', values: ['pci'] },
          { of: 'label', key: 'edge', operator: 'DoesNotExist', values: [] },
          { of: 'region', key: '', operator: 'In', values: ['asia', 'europe'] },
          { of: 'name', key: '', operator: 'In', values: ['tokyo'] },
          { of: 'exclude', key: '', operator: 'NotIn', values: ['osaka'] },
        ],
      },
    ]);
  });

  it('keeps groups apart, by name', () => {
    const json = JSON.stringify([{ affinityName: 'near', clusterNames: ['a'] }, { affinityName: 'far' }]);
    expect(affinitiesOf(json)?.map(({ name }) => name)).toEqual(['near', 'far']);
  });

  it('does not guess what was cut', () => {
    expect(affinitiesOf('{"labelSelector":{"matchLa …')).toBeNull();
  });
});

describe('labels', () => {
  it('are read from a list', () => {
    expect(labelsOf('a=b,c=d=e')).toEqual(
      new Map([
        ['a', 'b'],
        ['c', 'd=e'],
      ]),
    );
    expect(labelsOf('(none)')).toEqual(new Map());
  });

  it('are not known to lack what a cut list lacks', () => {
    expect(labelsOf('a=b,c=…')).toBeNull();
  });

  it.each([
    ['In', ['b'], 'b', true],
    ['In', ['b'], 'x', false],
    ['In', ['b'], undefined, false],
    ['NotIn', ['b'], 'b', false],
    ['NotIn', ['b'], undefined, true],
    ['Exists', [], '', true],
    ['Exists', [], undefined, false],
    ['DoesNotExist', [], 'b', false],
    ['DoesNotExist', [], undefined, true],
  ] as const)('%s %j with %j is %j', (operator, values, actual, want) => {
    const labels = new Map(actual === undefined ? [] : [['a', actual]]);
    const [compared] = compare([{ of: 'label', key: 'a', operator, values: [...values] }], labels);
    expect(compared?.holds).toBe(want);
  });
});

it('taints are read as Kubernetes writes them', () => {
  const evidence = [
    { object: 'Cluster tokyo', field: 'spec.taints', value: 'maintenance:NoSchedule' },
    { object: 'Cluster osaka', field: 'spec.taints', value: 'team=a=b:NoExecute' },
    { object: 'ResourceBinding shop/cart', field: 'status.conditions', value: 'FALSE NoClusterFit: x' },
  ];
  expect(taintsOf(evidence)).toEqual([
    { cluster: 'tokyo', key: 'maintenance', value: '', effect: 'NO_SCHEDULE' },
    { cluster: 'osaka', key: 'team', value: 'a=b', effect: 'NO_EXECUTE' },
  ]);
});

it('what a placement asks for is told from what was seen', () => {
  const asked = { object: 'ResourceBinding shop/cart', field: 'spec.placement.clusterAffinity', value: '{}' };
  const seen = { object: 'Cluster tokyo', field: 'metadata.labels', value: 'a=b' };
  expect(halvesOf([seen, asked])).toEqual({ asked, seen: [seen] });
});

it('findings of one kind are one group, in the order of the first of each', () => {
  const finding = (
    code: FindingFieldsFragment['code'],
    clusterName: string | null,
  ): FindingFieldsFragment => ({
    code,
    severity: 'ERROR',
    message: '',
    remedy: '',
    clusterName,
    evidence: [],
  });
  const groups = groupsOf([
    finding('CRASH_LOOP', 'tokyo'),
    finding('NO_POLICY', null),
    finding('CRASH_LOOP', 'osaka'),
    finding('CRASH_LOOP', 'tokyo'),
  ]);
  expect(groups.map(({ code, clusters, findings }) => [code, clusters, findings.length])).toEqual([
    ['CRASH_LOOP', ['tokyo', 'osaka'], 3],
    ['NO_POLICY', [], 1],
  ]);
});
