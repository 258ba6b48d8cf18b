// What the form has fields for, as a tree of the object's own names: it is drawn, searched and checked by this one tree.

import type { en } from './texts/en';

export type FieldName = keyof typeof en.policyForm.field;
export type HintName = keyof typeof en.policyForm.hint;

/** One value, which is typed or chosen. */
interface Leaf {
  is: 'text' | 'number' | 'flag' | 'json' | 'lines' | 'pairs';
}

/** One of a few words; what stands there though it is none of them stays. */
interface Choice {
  is: 'choice';
  options: readonly string[];
}

/** Several words, mostly of some that are known. */
interface WordList {
  is: 'words';
  suggest?: 'clusters';
}

export interface Group {
  is: 'group';
  fields: Fields;
}

export interface List {
  is: 'list';
  of: Group;
  /** What a new item holds. */
  fresh: Readonly<Record<string, unknown>>;
  /** Named by the text of the button that adds one. */
  add: keyof typeof en.policyForm.add;
}

export type Shape = Leaf | Choice | WordList | Group | List;

export type Field = Shape & {
  label: FieldName;
  hint?: HintName;
  /** Folded away until it is wanted, or set. */
  seldom?: true;
  /** Whether it is what Karmada itself sets where nothing is said: no reason to unfold it. */
  usual?: (value: unknown) => boolean;
  /** Shown only where it is set: Karmada has another field for it now. */
  old?: true;
  /** Whether it means anything beside the other values of its group. It is shown all the same where it is set. */
  when?: (group: Readonly<Record<string, unknown>>) => boolean;
};

export type Fields = Readonly<Record<string, Field>>;

const TEXT = { is: 'text' } as const;
const NUMBER = { is: 'number' } as const;
const FLAG = { is: 'flag' } as const;
const WORDS = { is: 'words' } as const;
const CLUSTERS = { is: 'words', suggest: 'clusters' } as const;

const group = (fields: Fields): Group => ({ is: 'group', fields });
const list = (add: List['add'], fresh: List['fresh'], fields: Fields): List => ({
  is: 'list',
  of: group(fields),
  fresh,
  add,
});
const oneOf = (...options: string[]): Choice => ({ is: 'choice', options });

const equal = (usual: unknown) => (value: unknown) => value === usual;

/** What Karmada's webhook gives every placement. */
const TAINTS_OF_KARMADA = ['cluster.karmada.io/not-ready', 'cluster.karmada.io/unreachable'];

function areKarmadas(tolerations: unknown): boolean {
  return (
    Array.isArray(tolerations) &&
    tolerations.every(
      ({ key }: { key?: unknown }) => typeof key === 'string' && TAINTS_OF_KARMADA.includes(key),
    )
  );
}

/** Whether all labels, or annotations, are those that Karmada keeps. */
function areOfKarmada(pairs: unknown): boolean {
  return Object.keys(pairs ?? {}).every((key) => /(^|\.)karmada\.io\//.test(key));
}

const LABEL_SELECTOR = group({
  matchLabels: { is: 'pairs', label: 'matchLabels' },
  matchExpressions: {
    ...list(
      'requirement',
      { operator: 'In' },
      {
        key: { ...TEXT, label: 'key' },
        operator: { ...oneOf('In', 'NotIn', 'Exists', 'DoesNotExist'), label: 'operator' },
        values: { ...WORDS, label: 'values', when: ({ operator }) => takesValues(operator) },
      },
    ),
    label: 'matchExpressions',
    seldom: true,
  },
});

function takesValues(operator: unknown): boolean {
  return operator !== 'Exists' && operator !== 'DoesNotExist';
}

const AFFINITY: Fields = {
  clusterNames: { ...CLUSTERS, label: 'clusterNames', hint: 'clusterNames' },
  exclude: { ...CLUSTERS, label: 'exclude', seldom: true },
  labelSelector: { ...LABEL_SELECTOR, label: 'clusterLabels', seldom: true },
  fieldSelector: {
    ...group({
      matchExpressions: {
        ...list(
          'requirement',
          { key: 'region', operator: 'In' },
          {
            key: { ...oneOf('provider', 'region', 'zone'), label: 'clusterField' },
            operator: { ...oneOf('In', 'NotIn'), label: 'operator' },
            values: { ...WORDS, label: 'values' },
          },
        ),
        label: 'fieldExpressions',
      },
    }),
    label: 'fieldSelector',
    seldom: true,
  },
};

const SELECTORS = list(
  'selector',
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  {
    apiVersion: { ...TEXT, label: 'apiVersion' },
    kind: { ...TEXT, label: 'kind' },
    name: { ...TEXT, label: 'name', hint: 'selectorName' },
    namespace: { ...TEXT, label: 'namespace', hint: 'selectorNamespace', seldom: true },
    labelSelector: { ...LABEL_SELECTOR, label: 'labels', seldom: true },
  },
);

const STATE_PRESERVATION = group({
  rules: {
    ...list(
      'rule',
      {},
      { aliasLabelName: { ...TEXT, label: 'aliasLabelName' }, jsonPath: { ...TEXT, label: 'jsonPath' } },
    ),
    label: 'preservationRules',
  },
});

const PLACEMENT: Fields = {
  clusterAffinity: { ...group(AFFINITY), label: 'clusterAffinity' },
  replicaScheduling: {
    ...group({
      replicaSchedulingType: { ...oneOf('Duplicated', 'Divided'), label: 'schedulingType' },
      replicaDivisionPreference: {
        ...oneOf('Weighted', 'Aggregated'),
        label: 'division',
        when: ({ replicaSchedulingType }) => replicaSchedulingType === 'Divided',
      },
      weightPreference: {
        ...group({
          dynamicWeight: { ...oneOf('AvailableReplicas'), label: 'dynamicWeight' },
          staticWeightList: {
            ...list(
              'weight',
              { targetCluster: {}, weight: 1 },
              {
                weight: { ...NUMBER, label: 'weight' },
                targetCluster: { ...group(AFFINITY), label: 'targetCluster' },
              },
            ),
            label: 'staticWeights',
            when: ({ dynamicWeight }) => dynamicWeight === undefined,
          },
        }),
        label: 'weights',
        when: ({ replicaSchedulingType, replicaDivisionPreference }) =>
          replicaSchedulingType === 'Divided' && replicaDivisionPreference === 'Weighted',
      },
    }),
    label: 'replicaScheduling',
  },
  spreadConstraints: {
    ...list(
      'constraint',
      { spreadByField: 'cluster' },
      {
        spreadByField: { ...oneOf('cluster', 'region', 'zone', 'provider'), label: 'spreadByField' },
        minGroups: { ...NUMBER, label: 'minGroups' },
        maxGroups: { ...NUMBER, label: 'maxGroups' },
        spreadByLabel: { ...TEXT, label: 'spreadByLabel', hint: 'spreadByLabel', seldom: true },
      },
    ),
    label: 'spreadConstraints',
    seldom: true,
  },
  clusterTolerations: {
    ...list(
      'toleration',
      { operator: 'Exists' },
      {
        key: { ...TEXT, label: 'key' },
        operator: { ...oneOf('Equal', 'Exists'), label: 'operator' },
        value: { ...TEXT, label: 'value', when: ({ operator }) => operator !== 'Exists' },
        effect: { ...oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'), label: 'effect' },
        tolerationSeconds: {
          ...NUMBER,
          label: 'tolerationSeconds',
          when: ({ effect }) => effect === 'NoExecute',
        },
      },
    ),
    label: 'tolerations',
    usual: areKarmadas,
    seldom: true,
  },
  clusterAffinities: {
    ...list(
      'affinityGroup',
      {},
      {
        affinityName: { ...TEXT, label: 'affinityName' },
        ...AFFINITY,
        overflowAffinities: {
          ...list('overflow', {}, { affinityName: { ...TEXT, label: 'affinityName' }, ...AFFINITY }),
          label: 'overflowAffinities',
          seldom: true,
        },
      },
    ),
    label: 'clusterAffinities',
    hint: 'clusterAffinities',
    seldom: true,
  },
  workloadAffinity: {
    ...group({
      affinity: {
        ...group({ groupByLabelKey: { ...TEXT, label: 'groupByLabelKey' } }),
        label: 'togetherWith',
      },
      antiAffinity: {
        ...group({ groupByLabelKey: { ...TEXT, label: 'groupByLabelKey' } }),
        label: 'apartFrom',
      },
    }),
    label: 'workloadAffinity',
    seldom: true,
  },
};

export const PROPAGATION: Fields = {
  resourceSelectors: { ...SELECTORS, label: 'resourceSelectors' },
  placement: { ...group(PLACEMENT), label: 'placement' },
  propagateDeps: { ...FLAG, label: 'propagateDeps' },
  priority: { ...NUMBER, label: 'priority', hint: 'priority', usual: equal(0n), seldom: true },
  preemption: {
    ...oneOf('Always', 'Never'),
    label: 'preemption',
    hint: 'preemption',
    usual: equal('Never'),
    seldom: true,
  },
  conflictResolution: {
    ...oneOf('Abort', 'Overwrite'),
    label: 'conflictResolution',
    usual: equal('Abort'),
    seldom: true,
  },
  activationPreference: { ...oneOf('Lazy'), label: 'activationPreference', seldom: true },
  preserveResourcesOnDeletion: {
    ...FLAG,
    label: 'preserveResourcesOnDeletion',
    usual: equal(false),
    seldom: true,
  },
  suspension: {
    ...group({
      dispatching: { ...FLAG, label: 'dispatching' },
      dispatchingOnClusters: {
        ...group({ clusterNames: { ...CLUSTERS, label: 'suspendedClusters' } }),
        label: 'dispatchingOnClusters',
      },
    }),
    label: 'suspension',
    seldom: true,
  },
  failover: {
    ...group({
      application: {
        ...group({
          decisionConditions: {
            ...group({ tolerationSeconds: { ...NUMBER, label: 'unhealthySeconds' } }),
            label: 'decisionConditions',
          },
          purgeMode: { ...oneOf('Directly', 'Gracefully', 'Never'), label: 'purgeMode' },
          gracePeriodSeconds: { ...NUMBER, label: 'gracePeriodSeconds' },
          statePreservation: { ...STATE_PRESERVATION, label: 'statePreservation', seldom: true },
        }),
        label: 'applicationFailover',
        hint: 'applicationFailover',
      },
      cluster: {
        ...group({
          purgeMode: { ...oneOf('Directly', 'Gracefully'), label: 'purgeMode' },
          statePreservation: { ...STATE_PRESERVATION, label: 'statePreservation', seldom: true },
        }),
        label: 'clusterFailover',
      },
    }),
    label: 'failover',
    seldom: true,
  },
  dependentOverrides: { ...WORDS, label: 'dependentOverrides', hint: 'dependentOverrides', seldom: true },
  schedulerName: {
    ...TEXT,
    label: 'schedulerName',
    hint: 'schedulerName',
    usual: equal('default-scheduler'),
    seldom: true,
  },
  schedulePriority: {
    ...group({
      priorityClassSource: { ...oneOf('KubePriorityClass'), label: 'priorityClassSource' },
      priorityClassName: { ...TEXT, label: 'priorityClassName' },
    }),
    label: 'schedulePriority',
    seldom: true,
  },
  association: { ...FLAG, label: 'association', old: true },
};

const OPERATOR = oneOf('add', 'remove', 'replace');
const VALUE = { is: 'json', label: 'jsonValue', hint: 'jsonValue' } as const;

const PATCHES = list(
  'patch',
  { operator: 'replace' },
  {
    subPath: { ...TEXT, label: 'subPath' },
    operator: { ...OPERATOR, label: 'operator' },
    value: { ...VALUE, when: ({ operator }) => operator !== 'remove' },
  },
);

const COMMAND = list(
  'change',
  { operator: 'add' },
  {
    containerName: { ...TEXT, label: 'containerName' },
    operator: { ...oneOf('add', 'remove'), label: 'operator' },
    value: { is: 'lines', label: 'words' },
  },
);

const LABELS = list(
  'change',
  { operator: 'add' },
  { operator: { ...OPERATOR, label: 'operator' }, value: { is: 'pairs', label: 'pairs' } },
);

const OVERRIDERS: Fields = {
  imageOverrider: {
    ...list(
      'image',
      { component: 'Tag', operator: 'replace' },
      {
        component: { ...oneOf('Registry', 'Repository', 'Tag'), label: 'component' },
        operator: { ...OPERATOR, label: 'operator' },
        value: { ...TEXT, label: 'value', when: ({ operator }) => operator !== 'remove' },
        predicate: {
          ...group({ path: { ...TEXT, label: 'imagePath', hint: 'imagePath' } }),
          label: 'predicate',
          seldom: true,
        },
      },
    ),
    label: 'imageOverrider',
  },
  labelsOverrider: { ...LABELS, label: 'labelsOverrider' },
  annotationsOverrider: { ...LABELS, label: 'annotationsOverrider' },
  commandOverrider: { ...COMMAND, label: 'commandOverrider' },
  argsOverrider: { ...COMMAND, label: 'argsOverrider' },
  plaintext: {
    ...list(
      'patch',
      { operator: 'replace' },
      {
        path: { ...TEXT, label: 'path', hint: 'path' },
        operator: { ...OPERATOR, label: 'operator' },
        value: { ...VALUE, when: ({ operator }) => operator !== 'remove' },
      },
    ),
    label: 'plaintext',
  },
  fieldOverrider: {
    ...list(
      'textField',
      {},
      {
        fieldPath: { ...TEXT, label: 'fieldPath', hint: 'fieldPath' },
        yaml: { ...PATCHES, label: 'yamlPatches', when: ({ json }) => json === undefined },
        json: { ...PATCHES, label: 'jsonPatches', when: ({ yaml }) => yaml === undefined },
      },
    ),
    label: 'fieldOverrider',
    seldom: true,
  },
};

export const OVERRIDE: Fields = {
  resourceSelectors: { ...SELECTORS, label: 'resourceSelectors', hint: 'noSelectors' },
  overrideRules: {
    ...list(
      'overrideRule',
      { overriders: {} },
      {
        targetCluster: { ...group(AFFINITY), label: 'targetCluster' },
        overriders: { ...group(OVERRIDERS), label: 'overriders' },
      },
    ),
    label: 'overrideRules',
  },
  targetCluster: { ...group(AFFINITY), label: 'oldTargetCluster', old: true },
  overriders: { ...group(OVERRIDERS), label: 'oldOverriders', old: true },
};

/** The whole object, of which the form has its name, its labels and its spec. */
export function shapeOf(kind: string): Group | null {
  const fields = SPECS[kind];
  if (!fields) return null;
  return group({
    metadata: {
      ...group({
        name: { ...TEXT, label: 'name' },
        ...(kind.startsWith('Cluster') ? {} : { namespace: { ...TEXT, label: 'namespace' } }),
        labels: { is: 'pairs', label: 'labels', usual: areOfKarmada, seldom: true },
        annotations: { is: 'pairs', label: 'annotations', usual: areOfKarmada, seldom: true },
      }),
      label: 'metadata',
    },
    spec: { ...group(fields), label: 'spec' },
  });
}

const SPECS: Readonly<Record<string, Fields | undefined>> = {
  PropagationPolicy: PROPAGATION,
  ClusterPropagationPolicy: PROPAGATION,
  OverridePolicy: OVERRIDE,
  ClusterOverridePolicy: OVERRIDE,
};
