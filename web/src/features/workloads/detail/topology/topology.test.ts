import { describe, expect, it } from 'vitest';
import type { PodRowFragment, WorkloadTreeFragment } from '../../../../graph/generated/graphql';
import { fact, target } from '../../fixtures';
import type { TreeTarget } from '../useTree';
import { edgesOf, MOST_NODES, STAGES, topologyOf } from './graph';
import { neighbour } from './keys';
import { layout, ROW } from './layout';

const POLICY = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  id: 'p',
  kind: 'PropagationPolicy',
  namespace: 'shop',
  name: 'cart',
};

function place(clusterName: string, change: Partial<TreeTarget> = {}): TreeTarget {
  return {
    ...target({ clusterName }),
    cluster: { id: clusterName, name: clusterName, state: 'READY' },
    eviction: null,
    requiredBy: [],
    work: {
      id: `w-${clusterName}`,
      namespace: `karmada-es-${clusterName}`,
      name: 'cart-1',
      suspended: false,
      createdAt: '2026-01-01T00:00:00Z',
      applied: fact('TRUE'),
    },
    member: {
      id: `m-${clusterName}`,
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'shop',
      name: 'cart',
      createdAt: '2026-01-01T00:00:00Z',
    },
    overrides: [],
    ...change,
  };
}

function tree(targets: TreeTarget[], policy: typeof POLICY | null = POLICY): WorkloadTreeFragment {
  return {
    id: 'w',
    kind: 'Deployment',
    namespace: 'shop',
    name: 'cart',
    state: 'RUNNING',
    stateReason: 'Healthy',
    propagation: {
      scheduled: fact('TRUE'),
      policy,
      binding: policy && {
        id: 'b',
        kind: 'ResourceBinding',
        namespace: 'shop',
        name: 'cart-deployment',
        suspended: false,
        createdAt: '2026-01-01T00:00:00Z',
      },
      targets,
    },
  };
}

function pod(cluster: string, name: string, ready = true): PodRowFragment {
  return {
    id: `${cluster}/${name}`,
    namespace: 'shop',
    name,
    createdAt: '2026-01-01T00:00:00Z',
    phase: 'RUNNING',
    ready,
    readyContainers: 1,
    containerCount: 1,
    reason: ready ? 'Running' : 'CrashLoopBackOff',
    message: '',
    restarts: 0,
    lastRestartAt: null,
    nodeName: 'node',
    cluster: { id: cluster, name: cluster },
    containers: [],
  };
}

describe('topologyOf', () => {
  it('leads from the template to the pods of each cluster', () => {
    const nodes = topologyOf(tree([place('tokyo'), place('osaka')]), [pod('tokyo', 'a'), pod('osaka', 'b')]);
    expect(nodes.map(({ id, parent }) => [id, parent])).toEqual([
      ['template', undefined],
      ['policy', 'template'],
      ['binding', 'policy'],
      ['work/tokyo', 'binding'],
      ['member/tokyo', 'work/tokyo'],
      ['pod/tokyo/a', 'member/tokyo'],
      ['work/osaka', 'binding'],
      ['member/osaka', 'work/osaka'],
      ['pod/osaka/b', 'member/osaka'],
    ]);
  });

  it('shows where the way ends', () => {
    const nodes = topologyOf(tree([], null), []);
    expect(nodes.filter(({ missing }) => missing).map(({ id }) => id)).toEqual(['policy', 'binding']);
    const [, , , work, member] = topologyOf(tree([place('tokyo', { work: null, member: null })]), []);
    expect([work?.missing, member?.missing]).toEqual([true, true]);
  });

  it('puts an override policy beside the way, with the Works that it changed', () => {
    const overrides = [
      {
        policyKind: 'OVERRIDE' as const,
        policyNamespace: 'shop',
        policyName: 'mirror',
        note: '',
        changes: [{ path: '/a', from: '1', to: '2' }],
      },
    ];
    const nodes = topologyOf(tree([place('tokyo', { overrides }), place('osaka')]), []);
    const edges = edgesOf(nodes).filter(({ beside }) => beside);
    expect(edges.map(({ from, to }) => [from, to])).toEqual([['override/shop/mirror', 'work/tokyo']]);
  });

  it('keeps to one cluster when one is looked at', () => {
    const nodes = topologyOf(tree([place('tokyo'), place('osaka')]), [pod('osaka', 'b')], 'tokyo');
    expect(nodes.some(({ cluster }) => cluster === 'osaka')).toBe(false);
  });

  it('makes many healthy pods one node for each cluster, and keeps those that are not', () => {
    const pods = Array.from({ length: MOST_NODES }, (_, n) => pod('tokyo', `p${n}`, n !== 7));
    const nodes = topologyOf(tree([place('tokyo')]), pods).filter(({ stage }) => stage === 'pod');
    expect(nodes.map(({ id, count }) => [id, count])).toEqual([
      ['pod/tokyo/p7', undefined],
      ['pods/tokyo', MOST_NODES - 1],
    ]);
  });
});

describe('layout', () => {
  const many = () => {
    const clusters = Array.from({ length: 50 }, (_, n) => place(`c${n}`));
    const pods = clusters.flatMap(({ clusterName }) =>
      Array.from({ length: 8 }, (_, n) => pod(clusterName, `p${n}`)),
    );
    return topologyOf(tree(clusters), pods);
  };

  it('lays no node over another one, and takes far less than a second for 500', () => {
    const nodes = many();
    expect(nodes.length).toBeGreaterThanOrEqual(500);
    const begun = performance.now();
    const positions = layout(
      nodes.map(({ id, stage, parent, beside }) => ({ id, layer: STAGES.indexOf(stage), parent, beside })),
    );
    expect(performance.now() - begun).toBeLessThan(200);
    const columns = new Map<number, number[]>();
    for (const { x, y } of Object.values(positions)) columns.set(x, [...(columns.get(x) ?? []), y]);
    for (const ys of columns.values()) {
      ys.sort((a, b) => a - b);
      const nearest = ys.slice(1).map((y, index) => y - (ys[index] ?? 0));
      expect(Math.min(ROW, ...nearest)).toBe(ROW);
    }
  });

  it('stands a parent in the middle of its children', () => {
    const positions = layout([
      { id: 'a', layer: 0 },
      { id: 'b', layer: 1, parent: 'a' },
      { id: 'c', layer: 1, parent: 'a' },
    ]);
    expect(positions.a?.y).toBe(((positions.b?.y ?? 0) + (positions.c?.y ?? 0)) / 2);
  });
});

it('arrow keys lead along the way, and up and down a column', () => {
  const nodes = topologyOf(tree([place('tokyo'), place('osaka')]), [pod('tokyo', 'a')]);
  const positions = layout(
    nodes.map(({ id, stage, parent }) => ({ id, layer: STAGES.indexOf(stage), parent })),
  );
  const from = (id: string, key: string) => neighbour(nodes, positions, id, key);
  expect(from('template', 'ArrowRight')).toBe('policy');
  expect(from('policy', 'ArrowLeft')).toBe('template');
  expect(from('work/tokyo', 'ArrowDown')).toBe('work/osaka');
  expect(from('work/osaka', 'ArrowUp')).toBe('work/tokyo');
  expect(from('work/osaka', 'ArrowDown')).toBeUndefined();
  expect(from('pod/tokyo/a', 'Home')).toBe('template');
});
