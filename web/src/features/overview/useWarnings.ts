import { useMemo, useState } from 'react';
import type {
  WarningRowFragment,
  WarningsLiveSubscription,
  WarningsLiveSubscriptionVariables,
} from '../../graph/generated/graphql';
import { WarningsLiveDocument } from '../../graph/generated/graphql';
import type { FeedSource } from '../../graph/live/useFeeds';
import { useFeeds } from '../../graph/live/useFeeds';
import type { Problem } from '../../graph/problems';
import { newestOf } from './warnings';

const WARNINGS: FeedSource<WarningsLiveSubscription, WarningsLiveSubscriptionVariables, WarningRowFragment> =
  {
    document: WarningsLiveDocument,
    change: ({ events }) => events,
  };

/** API servers forget events after an hour. */
const HOUR_MS = 3_600_000;

export interface WarningsView {
  rows: WarningRowFragment[];
  /** Not all that there are have been told. */
  loading: boolean;
  /** Instances whose warnings are not followed now, and why. */
  unwatched: { instance: string; problems: Problem[] }[];
}

/** The newest warnings of some control planes, as they come. */
export function useWarnings(instances: readonly string[]): WarningsView {
  const [since] = useState(() => new Date(Date.now() - HOUR_MS).toISOString());
  const feeds = useFeeds(
    WARNINGS,
    useMemo(() => {
      const filter = { types: ['WARNING' as const], since };
      return Object.fromEntries(instances.map((instance) => [instance, { instance, filter }]));
    }, [instances, since]),
  );
  return {
    rows: useMemo(
      () => newestOf([...feeds.values()].flatMap(({ view }) => [...view.live.values()])),
      [feeds],
    ),
    unwatched: [...feeds]
      .filter(([, { problems }]) => problems.length > 0)
      .map(([instance, { problems }]) => ({ instance, problems })),
    loading: instances.some((name) => !feeds.get(name)?.view.synced && !feeds.get(name)?.problems.length),
  };
}
