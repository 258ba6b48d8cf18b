import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useMemo } from 'react';
import { useQuery } from 'urql';
import type { FleetQuery, FreshnessFieldsFragment } from '../graph/generated/graphql';
import { FleetDocument } from '../graph/generated/graphql';
import type { Problem } from '../graph/problems';
import { problemsOf } from '../graph/problems';

/** A cluster that stops shows in no workload event, so its freshness is asked for at this pace. */
const POLL_MS = 15_000;

type FleetInstance = NonNullable<FleetQuery['instances']>['nodes'][number];

export interface Fleet {
  /** Null until it has been read. */
  instances: readonly FleetInstance[] | null;
  problems: Problem[];
  /** How fresh a cluster's rows are; undefined where the fleet does not tell. */
  freshness: (instance: string, cluster: string) => FreshnessFieldsFragment | undefined;
}

const FleetContext = createContext<Fleet>({ instances: null, problems: [], freshness: () => undefined });

export function FleetProvider({ children }: { children: ReactNode }) {
  const [{ data, error }, refetch] = useQuery({ query: FleetDocument });

  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) refetch({ requestPolicy: 'network-only' });
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [refetch]);

  const fleet = useMemo<Fleet>(() => {
    const instances = data?.instances?.nodes ?? null;
    const known = new Map<string, FreshnessFieldsFragment>();
    for (const instance of instances ?? []) {
      for (const cluster of instance.clusters?.nodes ?? []) {
        if (cluster.freshness) known.set(`${instance.name}/${cluster.name}`, cluster.freshness);
      }
    }
    return {
      instances,
      problems: problemsOf(error),
      freshness: (instance, cluster) => known.get(`${instance}/${cluster}`),
    };
  }, [data, error]);

  return <FleetContext value={fleet}>{children}</FleetContext>;
}

export function useFleet(): Fleet {
  return useContext(FleetContext);
}
