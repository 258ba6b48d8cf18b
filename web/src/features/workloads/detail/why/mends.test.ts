import { describe, expect, it } from 'vitest';
import type { FindingFieldsFragment } from '../../../../graph/generated/graphql';
import { affinitiesOf } from '../../../../ui/finding/evidence';
import { labelsAsked, mendsOf } from './mends';

const POLICY = { id: 'p', kind: 'PropagationPolicy', namespace: 'shop', name: 'cart' };
const claimed = { kind: 'Deployment', propagation: { policy: POLICY } } as Parameters<typeof mendsOf>[1];
const unclaimed = { kind: 'Deployment', propagation: { policy: null } } as Parameters<typeof mendsOf>[1];

function finding(
  code: FindingFieldsFragment['code'],
  evidence: FindingFieldsFragment['evidence'] = [],
  clusterName: string | null = null,
): FindingFieldsFragment {
  return { code, severity: 'ERROR', message: '', remedy: '', clusterName, evidence };
}

const affinity = (placement: unknown) => ({
  object: 'ResourceBinding shop/cart',
  field: 'spec.placement.clusterAffinity',
  value: JSON.stringify(placement),
});
const labelled = (cluster: string) => ({
  object: `Cluster ${cluster}`,
  field: 'metadata.labels',
  value: 'a=b',
});

describe('an affinity that matches no cluster', () => {
  it('is mended by the labels that it asks for', () => {
    const asked = affinity({ labelSelector: { matchLabels: { tier: 'gold' } } });
    expect(
      mendsOf(finding('AFFINITY_NOT_MATCHED', [labelled('tokyo'), labelled('osaka'), asked]), claimed),
    ).toEqual([
      { kind: 'labelCluster', labels: [{ key: 'tier', value: 'gold' }], clusters: ['tokyo', 'osaka'] },
    ]);
  });

  it.each([
    [
      'a region, which is no label',
      { fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['x'] }] } },
    ],
    ['names', { clusterNames: ['tokyo'] }],
    [
      'one of several values',
      { labelSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] } },
    ],
    ['any value', { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }],
  ])('is not mended by guessing where it asks for %s', (_, placement) => {
    expect(labelsAsked(affinitiesOf(JSON.stringify(placement)) ?? [])).toBeNull();
  });

  it('is not mended where the selector was cut', () => {
    const cut = { ...affinity({}), value: '{"labelSelector": …' };
    expect(mendsOf(finding('AFFINITY_NOT_MATCHED', [labelled('tokyo'), cut]), claimed)).toEqual([]);
  });
});

it('a taint is taken away, or tolerated by the policy that there is', () => {
  const evidence = [{ object: 'Cluster tokyo', field: 'spec.taints', value: 'maintenance:NoSchedule' }];
  const kinds = (workload: typeof claimed) =>
    mendsOf(finding('TAINT_NOT_TOLERATED', evidence), workload).map(({ kind }) => kind);
  expect(kinds(claimed)).toEqual(['removeTaint', 'tolerate']);
  expect(kinds(unclaimed)).toEqual(['removeTaint']);
});

it('a crash leads to the log of the pod that crashes', () => {
  const evidence = [
    {
      object: 'Pod shop/cart-1 in tokyo',
      field: 'status.containerStatuses[name=web].state.waiting',
      value: 'x',
    },
  ];
  expect(mendsOf(finding('CRASH_LOOP', evidence, 'tokyo'), claimed)[0]).toEqual({
    kind: 'log',
    pod: 'tokyo/cart-1',
    container: 'web',
  });
});

it('an image is corrected in the container that it was seen in', () => {
  const evidence = [
    {
      object: 'Pod shop/cart-1 in tokyo',
      field: 'spec.containers[name=web].image',
      value: 'registry/cart:tpyo',
    },
  ];
  expect(mendsOf(finding('IMAGE_PULL_FAILED', evidence, 'tokyo'), claimed)[0]).toEqual({
    kind: 'setImage',
    container: 'web',
    image: 'registry/cart:tpyo',
  });
});

it('what nobody claims gets a policy', () => {
  expect(mendsOf(finding('NO_POLICY'), unclaimed)).toEqual([{ kind: 'createPolicy' }]);
});

it('offers nothing for what only waiting mends', () => {
  expect(mendsOf(finding('SCHEDULER_BEHIND'), claimed)).toEqual([]);
});
