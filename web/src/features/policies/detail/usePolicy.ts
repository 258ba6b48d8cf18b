import { useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  PolicyDetailFragment,
  PolicyLiveSubscription,
  PolicyLiveSubscriptionVariables,
} from '../../../graph/generated/graphql';
import { PolicyDetailDocument, PolicyLiveDocument } from '../../../graph/generated/graphql';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import { problemsOf } from '../../../graph/problems';
import type { POLICY_KINDS } from '../../../app/objects';

const LIVE: FeedSource<PolicyLiveSubscription, PolicyLiveSubscriptionVariables, PolicyDetailFragment> = {
  document: PolicyLiveDocument,
  change: (data) => data.policies,
};

export interface PolicyName {
  instance: string;
  kind: (typeof POLICY_KINDS)[number];
  namespace: string | undefined;
  name: string;
}

/** One policy: read once from the store, then as its feed tells it. */
export function usePolicy({ instance, kind, namespace, name }: PolicyName) {
  const [{ data, error, fetching, stale }, refetch] = useQuery({
    query: PolicyDetailDocument,
    variables: useMemo(
      () => ({ instance, kind: kind.value, resource: kind.resource, namespace, name }),
      [instance, kind, namespace, name],
    ),
  });
  const read = data?.instance?.policy ?? null;
  const id = read?.id;
  const feed = useFeeds(
    LIVE,
    useMemo(
      (): Record<string, PolicyLiveSubscriptionVariables> => (id ? { policy: { instance, ids: [id] } } : {}),
      [instance, id],
    ),
  ).get('policy');
  const problems = useMemo(() => problemsOf(error), [error]);
  const notFound = problems.some(({ code }) => code === 'NOT_FOUND');
  return {
    /** Null until it is known. */
    mayChange: data?.instance?.access.mayChange ?? null,
    policy: (id && feed?.view.live.get(id)) || read,
    deleted: id !== undefined && (feed?.view.gone.has(id) ?? false),
    noInstance: notFound && !data?.instance,
    missing: notFound || (data !== undefined && problems.length === 0),
    loading: fetching || stale,
    problems,
    liveProblems: feed?.problems ?? [],
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}
