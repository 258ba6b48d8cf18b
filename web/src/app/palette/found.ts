// What a search found, as things that somebody can choose.

import type { FoundObjectFragment, SearchQuery } from '../../graph/generated/graphql';
import type { AnyState } from '../../ui/tones';
import type { Place } from '../places';
import { isWorkloadKind } from '../places';

type Found = NonNullable<SearchQuery['search']>;
type Pod = Extract<Found['nodes'][number], { workload?: unknown }>;

/** One thing that was found: an object with its copies in the members is one. */
export interface Hit {
  group: 'instances' | 'clusters' | 'workloads' | 'objects';
  /** Unique among all. */
  key: string;
  label: string;
  kind: string;
  instance: string;
  /** The members that hold it. */
  clusters: string[];
  state?: AnyState;
  place: Place;
  /** What the place shows where that is not the thing itself. */
  leadsTo?: 'cluster' | 'workload';
}

/** So many of a group are shown; who wants another one types more of its name. */
export const MOST_SHOWN = 8;

export interface Hits {
  hits: Hit[];
  /** There are more than these. */
  more: boolean;
}

export function hitsOf({ workloads, search }: SearchQuery, text: string): Hits {
  const objects = [...(workloads?.nodes ?? []), ...(search?.nodes ?? [])];
  const byGroup = [
    (search?.instances?.nodes ?? []).map(instanceHit),
    (search?.clusters?.nodes ?? []).map(clusterHit),
    ...objectHits(objects),
  ].map((hits) => hits.sort((a, b) => closeness(a, text) - closeness(b, text)));
  return {
    hits: byGroup.flatMap((hits) => hits.slice(0, MOST_SHOWN)),
    more:
      byGroup.some((hits) => hits.length > MOST_SHOWN) ||
      [workloads, search].some((page) => page?.pageInfo.hasNextPage),
  };
}

type FoundInstance = NonNullable<Found['instances']>['nodes'][number];

function instanceHit({ name, displayName, state }: FoundInstance): Hit {
  return {
    group: 'instances',
    key: `instance/${name}`,
    label: name,
    kind: displayName && displayName !== name ? displayName : '',
    instance: '',
    clusters: [],
    state,
    place: { type: 'instance', instance: name },
  };
}

type FoundCluster = NonNullable<Found['clusters']>['nodes'][number];

function clusterHit({ name, state, instance }: FoundCluster): Hit {
  const of = instance?.name ?? '';
  return {
    group: 'clusters',
    key: `cluster/${of}/${name}`,
    label: name,
    kind: '',
    instance: of,
    clusters: [],
    state,
    place: { type: 'cluster', instance: of, cluster: name },
  };
}

/** Workloads, and everything else. The copies of an object in the members follow it. */
function objectHits(objects: readonly FoundObjectFragment[]): [Hit[], Hit[]] {
  const byKey = new Map<string, { hit: Hit; template: boolean }>();
  for (const object of objects) {
    const key = keyOf(object);
    const cluster = object.cluster?.name;
    const known = byKey.get(key) ?? { hit: objectHit(object, key), template: false };
    byKey.set(key, known);
    if (!cluster) {
      // Of an object and its copies, the object itself is where it leads.
      known.hit = { ...objectHit(object, key), clusters: known.hit.clusters };
      known.template = true;
    } else if (!known.hit.clusters.includes(cluster)) known.hit.clusters.push(cluster);
  }
  const hits = [...byKey.values()].map(({ hit, template }) => placed(hit, template));
  return [hits.filter(({ group }) => group === 'workloads'), hits.filter(({ group }) => group === 'objects')];
}

function objectHit(object: FoundObjectFragment, key: string): Hit {
  const { kind, namespace, name, instance, cluster } = object;
  const isWorkload = isWorkloadKind(kind);
  return {
    group: isWorkload ? 'workloads' : 'objects',
    key,
    label: namespace ? `${namespace}/${name}` : name,
    kind,
    instance: instance?.name ?? '',
    clusters: [],
    ...placeOf(object, instance?.name ?? '', cluster?.name),
  };
}

/**
 * Where an object can be looked at. What only a member holds has no page of its own: it leads to the one around it.
 */
function placeOf(
  object: FoundObjectFragment,
  instance: string,
  cluster?: string,
): Pick<Hit, 'place' | 'leadsTo'> {
  const { apiVersion, kind, namespace, name } = object;
  if (kind === 'Namespace') return { place: { type: 'namespace', instance, namespace: name } };
  const workload = (object as Partial<Pod>).workload;
  if (workload) {
    const { kind, namespace, name } = workload;
    return {
      place: { type: 'workload', instance, namespace, kind, name, cluster, tab: 'pods' },
      leadsTo: 'workload',
    };
  }
  if (namespace && isWorkloadKind(kind))
    return { place: { type: 'workload', instance, namespace, kind, name } };
  if (cluster) return { place: { type: 'cluster', instance, cluster }, leadsTo: 'cluster' };
  return { place: { type: 'object', instance, object: { apiVersion, kind, namespace, name } } };
}

/**
 * A workload that only members hold has no page of its own: the control plane goes before its members, so that its
 * template would have been found.
 */
function placed(hit: Hit, template: boolean): Hit {
  const [cluster] = hit.clusters;
  if (hit.group !== 'workloads' || template || !cluster) return hit;
  return { ...hit, place: { type: 'cluster', instance: hit.instance, cluster }, leadsTo: 'cluster' };
}

/** Pods of the same name are others in each member; of everything else they are copies. */
function keyOf({ kind, namespace, name, instance, cluster }: FoundObjectFragment): string {
  const own = kind === 'Pod' || kind === 'Node' ? cluster?.name : '';
  return [instance?.name, own, namespace, kind, name].join('/');
}

/** What is called just so goes before what begins so, and that before the rest. */
function closeness({ label }: Hit, text: string): number {
  const name = label.slice(label.indexOf('/') + 1);
  return name === text ? 0 : name.startsWith(text) ? 1 : 2;
}
