// What a change of a policy would do, as a picture of clusters before and after.

import type { ClaimChange, PreviewPropagationQuery } from '../../../graph/generated/graphql';
import { compareText } from '../../../graph/live/list';
import type { Tone } from '../../../ui/tones';

type Preview = NonNullable<PreviewPropagationQuery['previewPropagationPolicy']>;
export type ImpactRow = NonNullable<Preview['rows']>['nodes'][number];
type Cluster = ImpactRow['before'][number];

/** One cluster of an object: what it has, and what it would have. */
export interface Move {
  cluster: string;
  /** Null where it is not; the number is null for kinds without replicas. */
  before: { replicas: number | null } | null;
  after: { replicas: number | null } | null;
  tone: Tone;
}

/** Every cluster that an object is in, or would be in, by name. */
export function movesOf({ before, after }: Pick<ImpactRow, 'before' | 'after'>): Move[] {
  const names = [...new Set([...before, ...after].map(({ clusterName }) => clusterName))].sort(compareText);
  return names.map((cluster) => {
    const was = find(before, cluster);
    const becomes = find(after, cluster);
    return { cluster, before: was, after: becomes, tone: toneOf(was, becomes) };
  });
}

function find(clusters: readonly Cluster[], name: string): Move['before'] {
  const found = clusters.find(({ clusterName }) => clusterName === name);
  return found ? { replicas: found.replicas } : null;
}

function toneOf(before: Move['before'], after: Move['after']): Tone {
  if (!before) return 'ok';
  if (!after) return 'bad';
  return before.replicas === after.replicas ? 'idle' : 'busy';
}

/** `2 → 4`, `→ 4`, `2 →`; empty where nothing is counted and nothing changes. */
export function moveText({ before, after }: Pick<Move, 'before' | 'after'>): string {
  const was = before ? text(before.replicas) : '';
  const becomes = after ? text(after.replicas) : '';
  if (before && after) return was === becomes ? was : `${was} → ${becomes}`;
  return before ? `${was} → –`.trim() : `– → ${becomes}`.trim();
}

function text(replicas: number | null): string {
  return replicas === null ? '✓' : String(replicas);
}

const ORDER: readonly ClaimChange[] = ['LOST', 'MOVED', 'GAINED', 'UNCHANGED'];

/** How many objects each change befalls, what is lost first; of the rows that are here. */
export function countsOf(rows: readonly ImpactRow[]): { change: ClaimChange; count: number }[] {
  return ORDER.map((change) => ({
    change,
    count: rows.filter((row) => row.change === change).length,
  })).filter(({ count }) => count > 0);
}

/** What is lost first, then what moves. */
export function sortedByImpact(rows: readonly ImpactRow[]): ImpactRow[] {
  return [...rows].sort((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change));
}

export const TONE_OF_CHANGE: Record<ClaimChange, Tone> = {
  LOST: 'bad',
  MOVED: 'busy',
  GAINED: 'ok',
  UNCHANGED: 'idle',
};
