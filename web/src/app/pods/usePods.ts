import { useMemo } from 'react';
import type {
  PodRowFragment,
  PodsLiveSubscription,
  PodsLiveSubscriptionVariables,
} from '../../graph/generated/graphql';
import { PodsLiveDocument } from '../../graph/generated/graphql';
import { EMPTY_VIEW } from '../../graph/live/feed';
import type { FeedSource } from '../../graph/live/useFeeds';
import { useFeeds } from '../../graph/live/useFeeds';
import type { Problem } from '../../graph/problems';

type PodChange = PodsLiveSubscription['pods'];

const LIVE: FeedSource<PodsLiveSubscription, PodsLiveSubscriptionVariables, PodRowFragment, PodChange> = {
  document: PodsLiveDocument,
  change: (data) => data.pods,
};

export interface PodsView {
  /** By cluster and name; null until all have been told. */
  pods: PodRowFragment[] | null;
  /** Clusters whose pods are not followed now, and why. */
  missing: PodChange['missing'];
  /** There are more pods than are followed. */
  limited: boolean;
  /** Why nothing is followed now. */
  problems: Problem[];
}

/** The pods of a workload in all its clusters, or of one cluster, as members tell of them. */
export function usePods(of: string): PodsView {
  const feed = useFeeds(
    LIVE,
    useMemo(() => ({ pods: { of } }), [of]),
  ).get('pods');
  const { synced, live, end } = feed?.view ?? EMPTY_VIEW;
  const pods = useMemo(() => [...live.values()].sort(compare), [live]);
  return {
    pods: synced || pods.length > 0 ? pods : null,
    missing: end?.missing ?? [],
    limited: end?.limited ?? false,
    problems: feed?.problems ?? [],
  };
}

function compare(a: PodRowFragment, b: PodRowFragment): number {
  const [left, right] = [`${a.cluster?.name ?? ''}/${a.name}`, `${b.cluster?.name ?? ''}/${b.name}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
