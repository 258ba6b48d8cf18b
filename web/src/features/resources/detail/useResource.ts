import { useMemo } from 'react';
import { useQuery } from 'urql';
import type { ObjectType } from '../../../app/objects';
import type {
  BindingLiveSubscription,
  BindingLiveSubscriptionVariables,
  ResourceDetailFragment,
  ResourceLiveSubscription,
  ResourceLiveSubscriptionVariables,
  ResourceOwnFragment,
} from '../../../graph/generated/graphql';
import {
  BindingLiveDocument,
  ResourceDocument,
  ResourceLiveDocument,
} from '../../../graph/generated/graphql';
import { useReread } from '../../../graph/live/reread';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import type { Problem } from '../../../graph/problems';
import { problemsOf } from '../../../graph/problems';

const LIVE: FeedSource<ResourceLiveSubscription, ResourceLiveSubscriptionVariables, ResourceOwnFragment> = {
  document: ResourceLiveDocument,
  change: (data) => data.resources,
};

type Version = NonNullable<BindingLiveSubscription['resources']['node']>;

const BINDING: FeedSource<BindingLiveSubscription, BindingLiveSubscriptionVariables, Version> = {
  document: BindingLiveDocument,
  change: (data) => data.resources,
};

export interface ResourceName extends ObjectType {
  instance: string;
  namespace: string | undefined;
  name: string;
}

export interface ResourceView {
  resource: ResourceDetailFragment | null;
  deleted: boolean;
  noInstance: boolean;
  missing: boolean;
  loading: boolean;
  problems: Problem[];
  liveProblems: Problem[];
  retry: () => void;
}

/** One object: its own fields as its feed tells them; where it is, read again when its binding changes. */
export function useResource({ instance, apiVersion, kind, namespace, name }: ResourceName): ResourceView {
  const [{ data, error, fetching, stale }, refetch] = useQuery({
    query: ResourceDocument,
    variables: useMemo(
      () => ({ instance, apiVersion, kind, namespace, name }),
      [instance, apiVersion, kind, namespace, name],
    ),
  });
  const read = data?.instance?.resource ?? null;
  const id = read?.id;
  const feed = useFeeds(
    LIVE,
    useMemo(
      (): Record<string, ResourceLiveSubscriptionVariables> =>
        id ? { object: { instance, apiVersion, kind, ids: [id] } } : {},
      [id, instance, apiVersion, kind],
    ),
  ).get('object');
  const binding = read?.propagation?.binding;
  const bound = useFeeds(
    BINDING,
    useMemo(
      (): Record<string, BindingLiveSubscriptionVariables> =>
        binding ? { binding: { instance, kind: binding.kind, ids: [binding.id] } } : {},
      [instance, binding],
    ),
  ).get('binding');
  const own = id ? feed?.view.live.get(id) : undefined;
  const retry = () => refetch({ requestPolicy: 'network-only' });
  const version = binding ? bound?.view.live.get(binding.id)?.resourceVersion : undefined;
  const synced = feed?.view.synced && (!binding || bound?.view.synced);
  const versions = (object: string | undefined, bound: string | undefined) =>
    `${object ?? ''} ${bound ?? ''}`;
  // Whatever is claimed first gets its binding a moment after its own change.
  useReread(
    synced ? versions(own?.resourceVersion, version) : null,
    read && versions(read.resourceVersion, binding?.resourceVersion),
    retry,
  );

  const problems = useMemo(() => problemsOf(error), [error]);
  const notFound = problems.some(({ code }) => code === 'NOT_FOUND');
  return {
    resource: read && own ? { ...read, ...own } : read,
    deleted: id !== undefined && (feed?.view.gone.has(id) ?? false),
    noInstance: notFound && !data?.instance,
    missing: notFound || (data !== undefined && problems.length === 0),
    loading: fetching || stale,
    problems,
    liveProblems: [...(feed?.problems ?? []), ...(bound?.problems ?? [])].slice(0, 1),
    retry,
  };
}
