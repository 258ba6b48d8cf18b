// What the preview says of what is to be made, as a picture of clusters.

import type { PreviewWorkloadQuery } from '../../../graph/generated/graphql';

type Preview = NonNullable<PreviewWorkloadQuery['previewManifests']>;
export type TriedDocument = Preview['documents'][number];

/** The workload among the documents: it is the last one. */
export function workloadOf(documents: readonly TriedDocument[]): TriedDocument | undefined {
  return documents.at(-1);
}

/** A cluster in the picture; the share is of the most replicas in any. */
export interface Bar {
  cluster: string;
  replicas: number | null;
  share: number;
}

/** Where it would be, those with the most replicas first. */
export function barsOf(after: TriedDocument['after']): Bar[] {
  const most = Math.max(1, ...after.map(({ replicas }) => replicas ?? 1));
  return after
    .map(({ clusterName, replicas }) => ({
      cluster: clusterName,
      replicas,
      share: (replicas ?? most) / most,
    }))
    .sort((a, b) => b.share - a.share || (a.cluster < b.cluster ? -1 : 1));
}

/** What keeps it from being made anew: what is refused, and what is there already. */
export function hindrancesOf(documents: readonly TriedDocument[]): TriedDocument[] {
  return documents.filter(({ change }) => change !== 'CREATED');
}
