// Where a workload goes and what is different there: as the form has it, as `createWorkload` takes it, and as policies.

import type {
  CreateWorkloadInput,
  WorkloadKind,
  WorkloadOverrideInput,
  WorkloadPlacementInput,
} from '../../../graph/generated/graphql';
import { wholeNumberOf } from '../../../ui/typed';
import type { Json } from '../detail/yaml/patch';
import type { JsonObject, Values } from './codec';
import { inputOf, isObject, layFields, readFields, rowsOf } from './codec';
import { CONTAINER, fieldsOf, podPath } from './fields';
import { apiVersionOf, containersOf, nameOfKind, selecting, textOf } from './manifest';
import type { Named } from './manifest';

export const DIVISIONS = ['DUPLICATED', 'EVEN', 'STATIC', 'DYNAMIC', 'AGGREGATED'] as const;
export type Division = (typeof DIVISIONS)[number];

export interface PlacementValues {
  /** By the policies that there are, or by one of its own. */
  by: 'existing' | 'own';
  clusters: string[];
  labels: { key?: string; value?: string }[];
  division: Division;
  /** Weights by cluster, as they were typed. */
  weights: Record<string, string | undefined>;
  dependencies: boolean;
}

export interface OverrideValues {
  clusters?: string[];
  replicas?: string;
  labels?: { key?: string; value?: string }[];
  annotations?: { key?: string; value?: string }[];
  containers?: Values[];
}

export const NO_PLACEMENT: PlacementValues = {
  by: 'own',
  clusters: [],
  labels: [],
  division: 'DUPLICATED',
  weights: {},
  dependencies: true,
};

/** Everything that is to be made. */
export interface Made {
  instance: string;
  kind: WorkloadKind;
  named: Named;
  object: JsonObject;
  placement: PlacementValues;
  overrides: readonly OverrideValues[];
}

/** Whether `createWorkload` can say it: it names clusters, each of which gets all replicas. */
export function isPlain({ by, labels, division }: PlacementValues): boolean {
  return by === 'existing' || (labels.length === 0 && division === 'DUPLICATED');
}

export function placementInput(placement: PlacementValues): WorkloadPlacementInput | null {
  if (placement.by === 'existing') return null;
  return { clusters: [...placement.clusters], dependencies: placement.dependencies };
}

/** What is wrong with it before anybody is asked; null when nothing is. */
export function wrongPlacement({ by, clusters, labels }: PlacementValues): 'nowhere' | null {
  return by === 'own' && clusters.length === 0 && labels.length === 0 ? 'nowhere' : null;
}

/** Which overrides say nothing yet, or of nowhere, by their row. */
export function wrongOverrides(
  overrides: readonly OverrideValues[],
): { row: number; why: 'noClusters' | 'nothingDifferent' }[] {
  return overrides.flatMap((override, index): ReturnType<typeof wrongOverrides> => {
    const { clusters = [], replicas, labels = [], annotations = [], containers = [] } = override;
    if (clusters.length === 0) return [{ row: index + 1, why: 'noClusters' }];
    const says = replicas || labels.length > 0 || annotations.length > 0 || containers.length > 0;
    return says ? [] : [{ row: index + 1, why: 'nothingDifferent' }];
  });
}

export function overrideInput(override: OverrideValues): WorkloadOverrideInput {
  const { clusters = [], replicas, labels = [], annotations = [], containers = [] } = override;
  const made: WorkloadOverrideInput = { clusters: [...clusters] };
  if (replicas) made.replicas = wholeNumberOf(replicas, 0, 999_999_999) ?? undefined;
  if (labels.length > 0) made.labels = pairsOf(labels);
  if (annotations.length > 0) made.annotations = pairsOf(annotations);
  if (containers.length > 0) {
    made.containers = containers.map(
      (row) => inputOf(OVERRIDDEN, row).input,
    ) as unknown as WorkloadOverrideInput['containers'];
  }
  return made;
}

const OVERRIDDEN = CONTAINER.filter(({ name }) =>
  ['name', 'image', 'command', 'args', 'env', 'resources'].includes(name),
);

function pairsOf(rows: readonly { key?: string; value?: string }[]) {
  return rows.map(({ key = '', value = '' }) => ({ key, value }));
}

/** What `createWorkload` is asked; paths that cannot be sent as they were typed are told. */
export function createInput({ instance, kind, named, object, placement, overrides }: Made): {
  input: CreateWorkloadInput;
  wrong: string[][];
} {
  const fields = fieldsOf(kind);
  const { input: form, wrong } = inputOf(fields, readFields(fields, object));
  return {
    input: {
      instance,
      kind,
      ...named,
      form: form,
      overrides: overrides.length > 0 ? overrides.map(overrideInput) : undefined,
      // What it cannot say goes as a policy beside it.
      placement: isPlain(placement) ? placementInput(placement) : null,
    },
    wrong: wrong.map((path) => ['form', ...path]),
  };
}

/** Everything that is to be made, as manifests in the order in which they are needed. */
export function documentsOf(made: Made): JsonObject[] {
  const { kind, object, placement, overrides } = made;
  return [
    ...(overrides.length > 0 ? [overridePolicy(made)] : []),
    ...(placement.by === 'own' ? [propagationPolicy(made)] : []),
    selecting(kind, object),
  ];
}

export function manifestsOf(made: Made): string {
  return documentsOf(made).map(textOf).join('---\n');
}

function policy({ kind, named }: Made, policyKind: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: policyKind,
    metadata: { name: `${named.name}-${nameOfKind(kind).toLowerCase()}`, namespace: named.namespace },
    spec: {
      resourceSelectors: [{ apiVersion: apiVersionOf(kind), kind: nameOfKind(kind), ...named }],
      ...spec,
    },
  };
}

function propagationPolicy(made: Made): JsonObject {
  const { clusters, labels, dependencies } = made.placement;
  const clusterAffinity: JsonObject = {};
  if (clusters.length > 0) clusterAffinity.clusterNames = [...clusters];
  if (labels.length > 0) clusterAffinity.labelSelector = { matchLabels: map(labels) };
  const replicaScheduling = schedulingOf(made.placement);
  return policy(made, 'PropagationPolicy', {
    propagateDeps: dependencies,
    placement: { clusterAffinity, ...(replicaScheduling && { replicaScheduling }) },
  });
}

function map(rows: readonly { key?: string; value?: string }[]): JsonObject {
  return Object.fromEntries(rows.filter(({ key }) => key).map(({ key = '', value = '' }) => [key, value]));
}

function schedulingOf({ division, clusters, weights }: PlacementValues): JsonObject | null {
  const divided = { replicaSchedulingType: 'Divided' };
  switch (division) {
    case 'DUPLICATED':
      return null;
    case 'AGGREGATED':
      return { ...divided, replicaDivisionPreference: 'Aggregated' };
    case 'EVEN':
      return { ...divided, replicaDivisionPreference: 'Weighted' };
    case 'DYNAMIC':
      return {
        ...divided,
        replicaDivisionPreference: 'Weighted',
        weightPreference: { dynamicWeight: 'AvailableReplicas' },
      };
    case 'STATIC':
      return {
        ...divided,
        replicaDivisionPreference: 'Weighted',
        weightPreference: {
          staticWeightList: clusters.map((cluster) => ({
            targetCluster: { clusterNames: [cluster] },
            weight: weightOf(weights[cluster]) ?? 1,
          })),
        },
      };
  }
}

/** The weight that a text is; null for any other text. */
export function weightOf(typed: string | undefined): number | null {
  return wholeNumberOf(typed ?? '', 1, 999_999_999);
}

function overridePolicy(made: Made): JsonObject {
  return policy(made, 'OverridePolicy', {
    overrideRules: made.overrides.map((override) => ({
      targetCluster: { clusterNames: [...(override.clusters ?? [])] },
      overriders: overridersOf(made, override),
    })),
  });
}

function overridersOf({ kind, object }: Made, override: OverrideValues): JsonObject {
  const { replicas, labels = [], annotations = [], containers = [] } = override;
  const plaintext: Json[] = [];
  const add = (path: readonly (string | number)[], value: Json) =>
    plaintext.push({ path: `/${path.join('/')}`, operator: 'add', value });
  if (replicas) add(['spec', 'replicas'], Number(replicas));
  const known = containersOf(kind, object);
  for (const row of containers) {
    const found = known.find(({ json }) => json.name === row.name);
    if (!found) continue;
    const after = layFields(OVERRIDDEN, found.json, overridden(found.json, row));
    for (const { name } of OVERRIDDEN) {
      const value = after[name];
      if (name === 'name' || value === undefined || !isSaid(row[name])) continue;
      add([...podPath(kind), 'spec', found.list, found.index, name], value);
    }
  }
  return {
    ...(labels.length > 0 && { labelsOverrider: [{ operator: 'add', value: map(labels) }] }),
    ...(annotations.length > 0 && { annotationsOverrider: [{ operator: 'add', value: map(annotations) }] }),
    ...(plaintext.length > 0 && { plaintext }),
  };
}

function isSaid(value: Values[string]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
}

/** A container with what is different there: variables and resources that are not named stay. */
function overridden(json: JsonObject, row: Values): Values {
  const before = readFields(OVERRIDDEN, json);
  const resources = isObject(row.resources) ? (row.resources as Values) : undefined;
  const kept = (before.resources ?? {}) as Values;
  const said = Object.fromEntries(Object.entries(row).filter(([, value]) => isSaid(value)));
  return {
    ...before,
    ...said,
    ...(isSaid(row.env) && { env: merged(before.env, row.env, 'name') }),
    ...(resources && {
      resources: Object.fromEntries(
        ['requests', 'limits'].map((part) => [part, merged(kept[part], resources[part], 'key')]),
      ),
    }),
  };
}

function merged(before: Values[string], given: Values[string], by: string): Values[] {
  const news = rowsOf(given);
  const named = (row: Values) => news.find((other) => other[by] === row[by]);
  const old = rowsOf(before);
  return [
    ...old.map((row) => named(row) ?? row),
    ...news.filter((row) => !old.some((other) => other[by] === row[by])),
  ];
}
