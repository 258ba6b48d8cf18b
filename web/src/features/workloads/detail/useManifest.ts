import { useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  ManifestLiveSubscription,
  ManifestLiveSubscriptionVariables,
  WorkloadDetailFragment,
} from '../../../graph/generated/graphql';
import { ManifestLiveDocument, WorkloadManifestDocument } from '../../../graph/generated/graphql';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import { problemsOf } from '../../../graph/problems';

type Template = NonNullable<ManifestLiveSubscription['resources']['node']>;

const LIVE: FeedSource<ManifestLiveSubscription, ManifestLiveSubscriptionVariables, Template> = {
  document: ManifestLiveDocument,
  change: (data) => data.resources,
};

/** The template of a workload as YAML: as the read store holds it until its feed tells. */
export function useManifest(workload: WorkloadDetailFragment) {
  const [{ data, error, fetching }, refetch] = useQuery({
    query: WorkloadManifestDocument,
    variables: { id: workload.id },
  });
  const { instance, apiVersion, kind, id } = workload;
  const feed = useFeeds(
    LIVE,
    useMemo(
      (): Record<string, ManifestLiveSubscriptionVariables> =>
        instance ? { [id]: { instance: instance.name, apiVersion, kind, ids: [id] } } : {},
      [instance, apiVersion, kind, id],
    ),
  ).get(id);
  const [told] = feed?.view.live.values() ?? [];
  return {
    manifest: told?.manifest ?? (data?.node && 'manifest' in data.node ? data.node.manifest : null),
    instance: instance?.name ?? '',
    fetching,
    problems: problemsOf(error),
    liveProblems: feed?.problems ?? [],
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}
