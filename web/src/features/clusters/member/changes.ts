// What people typed about labels and taints, and what is sent for it.

import type {
  ClusterDetailFragment,
  KeyValueInput,
  TaintEffect,
  TaintInput,
  TaintKeyInput,
  UpdateClusterInput,
} from '../../../graph/generated/graphql';

export interface LabelRow {
  key: string;
  value: string;
}

export interface TaintRow extends LabelRow {
  effect: TaintEffect;
}

type Cluster = Pick<ClusterDetailFragment, 'labels' | 'taints'>;
type Changes = Pick<UpdateClusterInput, 'labels' | 'removeLabels' | 'taints' | 'removeTaints'>;

/** The labels to set and the keys to remove; null when nothing changed. */
export function labelChanges({ labels }: Cluster, rows: readonly LabelRow[]): Changes | null {
  const before = new Map(labels.map(({ key, value }) => [key, value]));
  const after = new Set(rows.map(({ key }) => key));
  const set: KeyValueInput[] = rows
    .filter(({ key, value }) => before.get(key) !== value)
    .map(({ key, value }) => ({ key, value }));
  const removed = labels.map(({ key }) => key).filter((key) => !after.has(key));
  if (set.length === 0 && removed.length === 0) return null;
  return { labels: set, removeLabels: removed };
}

/** The taints to set and those to remove: a taint is known by its key and effect. Null when nothing changed. */
export function taintChanges({ taints }: Cluster, rows: readonly TaintRow[]): Changes | null {
  const before = new Map(taints.map((taint) => [nameOf(taint), taint.value]));
  const after = new Set(rows.map(nameOf));
  const set: TaintInput[] = rows
    .filter((row) => before.get(nameOf(row)) !== row.value)
    .map(({ key, value, effect }) => ({ key, value, effect }));
  const removed: TaintKeyInput[] = taints
    .filter((taint) => !after.has(nameOf(taint)))
    .map(({ key, effect }) => ({ key, effect }));
  if (set.length === 0 && removed.length === 0) return null;
  return { taints: set, removeTaints: removed };
}

export function nameOf({ key, effect }: Pick<TaintRow, 'key' | 'effect'>): string {
  return `${key}:${effect}`;
}

/** Whether workloads would be evicted that are not now. */
export function evicts({ taints }: Cluster, rows: readonly TaintRow[]): boolean {
  const before = new Set(taints.map(nameOf));
  return rows.some((row) => row.effect === 'NO_EXECUTE' && row.key !== '' && !before.has(nameOf(row)));
}
