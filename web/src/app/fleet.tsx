import type { ReactNode } from 'react';
import { createContext, useContext, useMemo } from 'react';
import { useQuery } from 'urql';
import type {
  FleetInstanceFragment,
  FleetLiveSubscription,
  FleetLiveSubscriptionVariables,
  FreshnessFieldsFragment,
} from '../graph/generated/graphql';
import { FleetDocument, FleetLiveDocument } from '../graph/generated/graphql';
import { merged } from '../graph/live/merge';
import type { FeedSource } from '../graph/live/useFeeds';
import { useFeeds } from '../graph/live/useFeeds';
import type { Problem } from '../graph/problems';
import { isRefusal, problemsOf } from '../graph/problems';

const LIVE: FeedSource<FleetLiveSubscription, FleetLiveSubscriptionVariables, FleetInstanceFragment> = {
  document: FleetLiveDocument,
  change: (data) => data.instances,
};
const ALL = { fleet: {} };
const NOTHING = {};

export interface Fleet {
  /** Null until it has been read. */
  instances: readonly FleetInstanceFragment[] | null;
  problems: Problem[];
  /** How fresh a cluster's rows are; undefined where the fleet does not tell. */
  freshness: (instance: string, cluster: string) => FreshnessFieldsFragment | undefined;
}

const FleetContext = createContext<Fleet>({ instances: null, problems: [], freshness: () => undefined });

export function FleetProvider({ children }: { children: ReactNode }) {
  const [{ data, error }] = useQuery({ query: FleetDocument });
  const problems = useMemo(() => problemsOf(error), [error]);
  // Who has no role is refused the socket, too. Whatever else fails, the feed brings the fleet once it can.
  const refused = isRefusal(problems, 'FORBIDDEN');
  const feed = useFeeds(LIVE, data || (error && !refused) ? ALL : NOTHING).get('fleet');

  const fleet = useMemo<Fleet>(() => {
    const instances = merged(data?.instances?.nodes ?? null, feed?.view);
    const known = new Map<string, FreshnessFieldsFragment>();
    for (const instance of instances ?? []) {
      for (const cluster of instance.clusters?.nodes ?? []) {
        if (cluster.freshness) known.set(`${instance.name}/${cluster.name}`, cluster.freshness);
      }
    }
    return {
      instances,
      problems,
      freshness: (instance, cluster) => known.get(`${instance}/${cluster}`),
    };
  }, [data, problems, feed]);

  return <FleetContext value={fleet}>{children}</FleetContext>;
}

export function useFleet(): Fleet {
  return useContext(FleetContext);
}
