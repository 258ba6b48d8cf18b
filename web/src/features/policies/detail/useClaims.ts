import { useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  PolicyBindingsLiveSubscription,
  PolicyBindingsLiveSubscriptionVariables,
  PolicyClaimsQuery,
  PolicyDetailFragment,
} from '../../../graph/generated/graphql';
import { PolicyBindingsLiveDocument, PolicyClaimsDocument } from '../../../graph/generated/graphql';
import { useReread } from '../../../graph/live/reread';
import type { Feed, FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import { problemsOf } from '../../../graph/problems';
import { useAsOf } from '../../../ui/page/asOf';

type Told = NonNullable<PolicyBindingsLiveSubscription['resources']['node']>;

const LIVE: FeedSource<PolicyBindingsLiveSubscription, PolicyBindingsLiveSubscriptionVariables, Told> = {
  document: PolicyBindingsLiveDocument,
  change: (data) => data.resources,
};

type Node = NonNullable<PolicyClaimsQuery['node']>;

/** Something that a policy claims, or applies to. */
export interface Claim {
  id: string;
  object: { apiVersion: string; kind: string; namespace: string | null; name: string };
  /** Where it goes; null where the policy does not say that. */
  clusters: readonly { clusterName: string; replicas: number | null }[] | null;
}

export const CLAIMS_A_PAGE = 50;

/** What a policy claims now. It is read again when its bindings say that something went elsewhere. */
export function useClaims(policy: PolicyDetailFragment, instance: string, after: string | undefined) {
  const { id } = policy;
  const [{ data, error, fetching, stale }, refetch] = useQuery({
    query: PolicyClaimsDocument,
    variables: useMemo(() => ({ id, first: CLAIMS_A_PAGE, after: after ?? null }), [id, after]),
  });
  const feeds = useFeeds(
    LIVE,
    useMemo(() => bindingsOf(policy, instance), [policy, instance]),
  );
  const loading = fetching || stale;
  const asOf = useAsOf(loading);
  const told = signature([...feeds.values()]);
  const page = data?.node ? pageOf(data.node) : null;
  const whole = page && !after && !page.pageInfo.hasNextPage ? page : null;
  useReread(told, whole?.signature ?? null, () => refetch({ requestPolicy: 'network-only' }));
  // The read store trails what is told: what it answered may be old already.
  const trails = !loading && told !== null && whole?.signature != null && whole.signature !== told;

  return {
    claims: page?.claims ?? null,
    clusters: data?.node && 'clusters' in data.node ? data.node.clusters : null,
    totalCount: page?.totalCount ?? null,
    hasNext: page?.pageInfo.hasNextPage ?? false,
    endCursor: page?.pageInfo.endCursor ?? null,
    loading,
    asOf,
    /** Whether what it claims is told; else somebody has to ask again. */
    live: !trails && feeds.size > 0 && [...feeds.values()].every(({ problems }) => problems.length === 0),
    problems: useMemo(() => problemsOf(error), [error]),
    retry: () => refetch({ requestPolicy: 'network-only' }),
  };
}

/** Karmada marks the bindings of what a policy claims by the policy's own permanent id. */
export function bindingsOf(
  { kind, labels }: Pick<PolicyDetailFragment, 'kind' | 'labels'>,
  instance: string,
): Record<string, PolicyBindingsLiveSubscriptionVariables> {
  const key = `${kind.toLowerCase()}.karmada.io/permanent-id`;
  const value = labels?.find((label) => label.key === key)?.value;
  if (!value) return {};
  const of = (kind: string) => ({ instance, kind, labels: `${key}=${value}` });
  return kind === 'ClusterPropagationPolicy'
    ? { namespaced: of('ResourceBinding'), cluster: of('ClusterResourceBinding') }
    : { namespaced: of('ResourceBinding') };
}

/** Which bindings there are in which generation; null until all have been told. */
function signature(feeds: readonly Feed<Told>[]): string | null {
  if (feeds.length === 0 || feeds.some(({ view }) => !view.synced)) return null;
  return signatureOf(feeds.flatMap(({ view }) => [...view.live.values()]));
}

function signatureOf(bindings: readonly { id: string; generation: number }[]): string {
  return bindings
    .map(({ id, generation }) => `${id} ${generation}`)
    .sort()
    .join('\n');
}

function pageOf(node: Node) {
  if ('bindings' in node && node.bindings) {
    const { nodes, pageInfo, totalCount } = node.bindings;
    return {
      pageInfo,
      totalCount,
      signature: signatureOf(nodes),
      claims: nodes.map(({ id, namespace, name, kind, template, clusters }): Claim => ({
        id,
        object: template ?? { apiVersion: 'work.karmada.io/v1alpha2', kind, namespace, name },
        clusters,
      })),
    };
  }
  if ('matched' in node && node.matched) {
    const { nodes, pageInfo, totalCount } = node.matched;
    return {
      pageInfo,
      totalCount,
      signature: null,
      claims: nodes.map((workload): Claim => ({ id: workload.id, object: workload, clusters: null })),
    };
  }
  return null;
}
