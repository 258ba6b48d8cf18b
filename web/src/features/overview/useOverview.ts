import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useFleet } from '../../app/fleet';
import type {
  AttentionLiveSubscription,
  AttentionLiveSubscriptionVariables,
  AttentionRowFragment,
  OverviewFieldsFragment,
  OverviewInstanceFragment,
  OverviewInstancesLiveSubscription,
  OverviewInstancesLiveSubscriptionVariables,
  OverviewLiveSubscription,
  OverviewLiveSubscriptionVariables,
} from '../../graph/generated/graphql';
import {
  AttentionLiveDocument,
  DiagnosesDocument,
  OverviewInstancesLiveDocument,
  OverviewLiveDocument,
} from '../../graph/generated/graphql';
import { merged } from '../../graph/live/merge';
import type { FeedSource } from '../../graph/live/useFeeds';
import { useFeeds } from '../../graph/live/useFeeds';
import type { Problem } from '../../graph/problems';
import { useGraph } from '../../graph/session';
import type { Cause, Findings } from './causes';
import { causesOf, mostUrgent } from './causes';
import type { DiagnosesView } from './diagnoses';
import { Diagnoses } from './diagnoses';
import type { Totals } from './totals';
import { COUNTED, totalsOf } from './totals';

const OVERVIEW: FeedSource<
  OverviewLiveSubscription,
  OverviewLiveSubscriptionVariables,
  OverviewFieldsFragment
> = {
  document: OverviewLiveDocument,
  // There is only one, which has no id.
  change: ({ overview }) => ({ ...overview, id: 'overview' }),
};

const INSTANCES: FeedSource<
  OverviewInstancesLiveSubscription,
  OverviewInstancesLiveSubscriptionVariables,
  OverviewInstanceFragment
> = {
  document: OverviewInstancesLiveDocument,
  change: ({ instances }) => instances,
};

const ATTENTION: FeedSource<
  AttentionLiveSubscription,
  AttentionLiveSubscriptionVariables,
  AttentionRowFragment
> = {
  document: AttentionLiveDocument,
  change: ({ workloads }) => workloads,
};

const ALL = { all: {} };
const FILTER = { states: [...COUNTED] };

export interface OverviewView {
  /** Null until they are known. */
  instances: OverviewInstanceFragment[] | null;
  totals: Totals | null;
  /** Workloads that are in another state than running or completed. */
  workloads: AttentionRowFragment[];
  causes: Cause[];
  /** Instances of which it is not known yet how their workloads do. */
  pending: string[];
  /** Instances of which that was never known, and cannot be now. */
  notKnown: string[];
  /** Instances whose workloads are not followed now, and why. */
  unwatched: { instance: string; problems: Problem[] }[];
  diagnoses: DiagnosesView;
  /** Workloads of which it is being found out what is wrong with them. */
  awaited: ReadonlySet<string>;
  /** Why nothing is known at all. */
  problems: readonly Problem[];
  again: () => void;
}

const NO_PROBLEMS: Problem[] = [];

/** What there is and what is wrong with it, in all instances or in one, as it changes. */
export function useOverview(instance: string | undefined): OverviewView {
  const { problems } = useFleet();
  const overview = useFeeds(OVERVIEW, ALL).get('all');
  const told = useFeeds(INSTANCES, ALL).get('all');
  const instances = useMemo(
    () =>
      merged<OverviewInstanceFragment>(null, told?.view)?.filter(
        ({ name }) => !instance || name === instance,
      ) ?? null,
    [told, instance],
  );

  const names = useMemo(() => watched(instances ?? []), [instances]);
  const feeds = useFeeds(
    ATTENTION,
    useMemo(
      () => Object.fromEntries(names.map((name) => [name, { instance: name, filter: FILTER }])),
      [names],
    ),
  );
  const workloads = useMemo(
    () => [...feeds.values()].flatMap(({ view }) => [...view.live.values()]),
    [feeds],
  );
  const urgent = useMemo(() => mostUrgent(workloads), [workloads]);
  const { diagnoses, again } = useDiagnoses(urgent);
  const awaited = useMemo(
    () => new Set(urgent.map(({ id }) => id).filter((id) => !diagnoses.findings.has(id))),
    [urgent, diagnoses.findings],
  );

  const silent = names.filter((name) => !feeds.get(name)?.view.synced);
  const isLost = (name: string) =>
    (feeds.get(name)?.problems.length ?? 0) > 0 ||
    instances?.some((known) => known.name === name && known.state === 'UNAVAILABLE') === true;

  const one = instance === undefined ? undefined : instances?.[0];
  const all = overview?.view.live.get('overview') ?? null;
  return {
    instances,
    totals: useMemo(() => (instance === undefined ? all : one ? totalsOf(one) : null), [instance, all, one]),
    workloads,
    causes: useMemo(
      () => causesOf({ instances: instances ?? [], workloads, findings: diagnoses.findings, awaited }),
      [instances, workloads, diagnoses.findings, awaited],
    ),
    pending: silent.filter((name) => !isLost(name)),
    notKnown: silent.filter(isLost),
    unwatched: names
      .map((name) => ({ instance: name, problems: feeds.get(name)?.problems ?? NO_PROBLEMS }))
      .filter(({ problems }) => problems.length > 0),
    diagnoses,
    awaited,
    problems: problems.length > 0 ? problems : (told?.problems ?? NO_PROBLEMS),
    again,
  };
}

/** What is being installed has nothing to be watched yet. */
function watched(instances: readonly OverviewInstanceFragment[]): string[] {
  return instances.filter(({ state }) => state !== 'INSTALLING').map(({ name }) => name);
}

function useDiagnoses(urgent: readonly AttentionRowFragment[]) {
  const { client } = useGraph();
  const [diagnoses] = useState(
    () =>
      new Diagnoses(async (ids) => {
        const { data } = await client
          .query(DiagnosesDocument, { ids }, { requestPolicy: 'network-only' })
          .toPromise();
        const found = new Map<string, Findings>();
        for (const node of data?.nodes ?? []) {
          if (node && 'propagation' in node) found.set(node.id, node.propagation?.diagnosis ?? null);
        }
        return found;
      }),
  );
  useEffect(() => diagnoses.want(urgent), [diagnoses, urgent]);
  const view = useSyncExternalStore(
    useMemo(() => (listener: () => void) => diagnoses.onChange(listener), [diagnoses]),
    () => diagnoses.view,
  );
  return { diagnoses: view, again: useMemo(() => () => diagnoses.again(), [diagnoses]) };
}
