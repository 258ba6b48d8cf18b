import { useMemo } from 'react';
import type {
  TreeLiveSubscription,
  TreeLiveSubscriptionVariables,
  TreeTargetFragment,
  WorkloadTreeFragment,
} from '../../../graph/generated/graphql';
import { TreeLiveDocument } from '../../../graph/generated/graphql';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import type { Problem } from '../../../graph/problems';

const LIVE: FeedSource<TreeLiveSubscription, TreeLiveSubscriptionVariables, WorkloadTreeFragment> = {
  document: TreeLiveDocument,
  change: (data) => data.workload,
};

export type TreeTarget = TreeTargetFragment;

export interface TreeView {
  /** Null until it was told. */
  tree: WorkloadTreeFragment | null;
  problems: Problem[];
}

/** The way of a workload from its template into its members, as it is now. Nothing is asked without an id. */
export function useTree(id: string | undefined): TreeView {
  const feed = useFeeds(
    LIVE,
    useMemo((): Record<string, TreeLiveSubscriptionVariables> => (id ? { tree: { id } } : {}), [id]),
  ).get('tree');
  return { tree: (id && feed?.view.live.get(id)) || null, problems: feed?.problems ?? [] };
}
