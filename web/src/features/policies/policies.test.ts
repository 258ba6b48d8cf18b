// @vitest-environment jsdom
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseSearch } from '../../app/search';
import { startLanguage } from '../../i18n';
import { bindingsOf } from './detail/useClaims';
import type { OverrideRule } from './overrides';
import { changesOf, rulesText } from './overrides';
import type { Placement } from './placement';
import { placementText, statementsOf, tolerationText } from './placement';
import type { Row } from './search';
import { comparison, filterOf, isNarrowed, passes, validatePoliciesSearch } from './search';
import { labelText, selectorText } from './selectors';

beforeAll(startLanguage);
const t = i18next.t;

const affinity = (over: object = {}) => ({
  labelSelector: null,
  fieldSelector: null,
  clusterNames: [],
  exclude: [],
  ...over,
});

const placement = (over: Partial<Placement> = {}): Placement => ({
  clusterAffinity: null,
  clusterAffinities: [],
  clusterTolerations: [],
  spreadConstraints: [],
  replicaScheduling: null,
  workloadAffinity: null,
  ...over,
});

const labels = (key: string, value: string) => ({ matchLabels: [{ key, value }], matchExpressions: [] });

describe('a selector', () => {
  it('reads as Kubernetes writes it', () => {
    expect(
      labelText({
        matchLabels: [{ key: 'team', value: 'blue' }],
        matchExpressions: [
          { key: 'tier', operator: 'IN', values: ['web', 'api'] },
          { key: 'zone', operator: 'NOT_IN', values: ['a'] },
          { key: 'gpu', operator: 'EXISTS', values: [] },
          { key: 'old', operator: 'DOES_NOT_EXIST', values: [] },
        ],
      }),
    ).toBe('team=blue,tier in (web,api),zone!=a,gpu,!old');
  });

  it.each([
    [{ kind: 'Deployment', namespace: null, name: 'cart', labelSelector: null }, 'Deployment cart'],
    [
      { kind: 'Deployment', namespace: 'shop', name: null, labelSelector: labels('a', 'b') },
      'Deployment shop/a=b',
    ],
    [{ kind: 'ConfigMap', namespace: null, name: null, labelSelector: null }, 'ConfigMap *'],
  ])('names what it selects: %j', (selector, want) => {
    expect(selectorText({ apiVersion: 'v1', ...selector })).toBe(want);
  });
});

describe('a placement in words', () => {
  it.each<[string, Placement | null, string]>([
    ['is everything where nothing is said', null, 'any cluster · all replicas in each cluster'],
    [
      'names clusters, and those left out',
      placement({ clusterAffinity: affinity({ clusterNames: ['tokyo', 'hangzhou'], exclude: ['tokyo'] }) }),
      'tokyo, hangzhou, except tokyo · all replicas in each cluster',
    ],
    [
      'says labels and fields',
      placement({
        clusterAffinity: affinity({
          labelSelector: labels('gpu', 'true'),
          fieldSelector: { matchExpressions: [{ key: 'region', operator: 'IN', values: ['asia'] }] },
        }),
        replicaScheduling: { type: 'DIVIDED', divisionPreference: 'AGGREGATED', weightPreference: null },
      }),
      'any cluster with gpu=true,region=asia · divided into as few clusters as have room',
    ],
    [
      'tells the groups in their order, and where they overflow to',
      placement({
        clusterAffinities: [
          {
            affinityName: 'near',
            ...affinity({ clusterNames: ['tokyo'] }),
            overflowAffinities: [{ affinityName: 'more', ...affinity({ clusterNames: ['singapore'] }) }],
          },
          { affinityName: 'far', ...affinity(), overflowAffinities: [] },
        ],
      }),
      'first near: tokyo, overflowing to singapore; then far: any cluster · all replicas in each cluster',
    ],
    [
      'says weights',
      placement({
        replicaScheduling: {
          type: 'DIVIDED',
          divisionPreference: 'WEIGHTED',
          weightPreference: {
            dynamicWeight: null,
            staticWeights: [
              { weight: 2, targetCluster: affinity({ clusterNames: ['hangzhou'] }) },
              { weight: 1, targetCluster: affinity({ clusterNames: ['tokyo'] }) },
            ],
          },
        },
      }),
      'any cluster · divided by weight: hangzhou 2; tokyo 1',
    ],
    [
      'says that room decides',
      placement({
        replicaScheduling: {
          type: 'DIVIDED',
          divisionPreference: 'WEIGHTED',
          weightPreference: { dynamicWeight: 'AVAILABLE_REPLICAS', staticWeights: [] },
        },
      }),
      'any cluster · divided by the room in each cluster',
    ],
  ])('%s', (_, given, want) => {
    expect(placementText(given, t)).toBe(want);
  });

  it('has a statement for each constraint and each toleration', () => {
    const said = statementsOf(
      placement({
        spreadConstraints: [
          { spreadByField: 'REGION', spreadByLabel: null, minGroups: 1, maxGroups: 2 },
          { spreadByField: 'CLUSTER', spreadByLabel: null, minGroups: 3, maxGroups: null },
        ],
        clusterTolerations: [
          {
            key: 'dedicated',
            operator: 'EQUAL',
            value: 'gpu',
            effect: 'NO_SCHEDULE',
            tolerationSeconds: null,
          },
        ],
        workloadAffinity: { affinity: null, antiAffinity: { groupByLabelKey: 'app' } },
      }),
      t,
    );
    expect(said.map(({ about, text }) => `${about}: ${text}`)).toEqual([
      'clusters: any cluster',
      'spread: 1 to 2 regions',
      'spread: at least 3 clusters',
      'replicas: all replicas in each cluster',
      'tolerations: dedicated=gpu:NoSchedule',
      'affinity: away from workloads of the same app',
    ]);
  });

  it('says for how long a taint is tolerated, and that any is', () => {
    const toleration = {
      key: null,
      operator: 'EXISTS',
      value: null,
      effect: null,
      tolerationSeconds: 0,
    } as const;
    expect(tolerationText(toleration, t)).toBe('any taint for 0 s');
  });
});

describe('an override', () => {
  const rule: OverrideRule = {
    targetCluster: affinity({ clusterNames: ['tokyo'] }),
    overriders: {
      imageOverrider: [{ predicate: null, component: 'TAG', operator: 'REPLACE', value: 'v2' }],
      commandOverrider: [],
      argsOverrider: [{ containerName: 'web', operator: 'ADD', value: ['--slow', '--loud'] }],
      labelsOverrider: [{ operator: 'REMOVE', value: [{ key: 'canary', value: '' }] }],
      annotationsOverrider: [],
      plaintext: [{ path: '/spec/replicas', operator: 'REPLACE', value: '3' }],
      fieldOverrider: [
        {
          fieldPath: '/data/config.yaml',
          json: [],
          yaml: [{ subPath: '/level', operator: 'ADD', value: '"debug"' }],
        },
      ],
    },
  };

  it('tells its changes in the order of Karmada', () => {
    expect(changesOf(rule).map(({ what, operator, value }) => `${operator} ${what} ${value}`)).toEqual([
      'REPLACE image tag v2',
      'ADD args web --slow --loud',
      'REMOVE labels canary',
      'ADD /data/config.yaml /level "debug"',
      'REPLACE /spec/replicas 3',
    ]);
    expect(rulesText([rule], t)).toMatch(/^tokyo: image tag, args web/);
    expect(rulesText(null, t)).toBe('');
  });
});

describe('the address of the list', () => {
  it('keeps what it understands', () => {
    const search = validatePoliciesSearch(
      parseSearch(
        '?instance=asia&kind=overridepolicy&kind=odd&namespace=shop&selects=Deployment&sort=-age&size=100',
      ),
    );
    expect(search).toMatchObject({
      instance: 'asia',
      kind: ['overridepolicy'],
      namespace: ['shop'],
      selects: 'Deployment',
      sort: '-age',
      size: 100,
    });
    expect(filterOf(search)).toMatchObject({
      kinds: ['OVERRIDE'],
      namespaces: ['shop'],
      selects: { kind: 'Deployment' },
    });
    expect(isNarrowed({ instance: 'asia' })).toBe(false);
    expect(filterOf({ instance: 'asia' })).toBeNull();
  });

  const row = (over: object) =>
    ({
      id: 'p',
      kind: 'PropagationPolicy',
      namespace: 'shop',
      name: 'cart',
      createdAt: '2026-01-01T00:00:00Z',
      instance: { id: 'i', name: 'asia' },
      resourceSelectors: [{ kind: 'Deployment' }],
      ...over,
    }) as unknown as Row;

  it.each<[string, Parameters<typeof passes>[0], object, boolean]>([
    ['everything where nothing narrows', {}, {}, true],
    ['the kind', { kind: ['overridepolicy'] }, {}, false],
    ['cluster-wide policies are in no namespace', { namespace: ['shop'] }, { namespace: null }, false],
    ['the name in any case', { name: 'CAR' }, {}, true],
    ['the kind it selects', { selects: 'Job' }, {}, false],
    [
      'a propagation policy without selectors selects nothing',
      { selects: 'Job' },
      { resourceSelectors: [] },
      false,
    ],
    [
      'an override without selectors applies to everything',
      { selects: 'Job' },
      { resourceSelectors: [], overrideRules: [] },
      true,
    ],
  ])('lets pass what the feed tells: %s', (_, search, over, want) => {
    expect(passes(search, row(over))).toBe(want);
  });

  it('orders by name over all instances, or the youngest first', () => {
    const older = row({ id: 'a', name: 'a', createdAt: '2026-01-01T00:00:00Z' });
    const younger = row({ id: 'b', name: 'b', createdAt: '2026-02-01T00:00:00Z' });
    const europe = row({ id: 'c', name: '0', instance: { id: 'e', name: 'europe' } });
    expect([europe, younger, older].sort(comparison({})).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect([older, younger].sort(comparison({ sort: 'age' })).map(({ id }) => id)).toEqual(['b', 'a']);
  });
});

describe('the bindings of a policy', () => {
  it.each([
    ['PropagationPolicy', 'propagationpolicy.karmada.io/permanent-id', ['ResourceBinding']],
    [
      'ClusterPropagationPolicy',
      'clusterpropagationpolicy.karmada.io/permanent-id',
      ['ResourceBinding', 'ClusterResourceBinding'],
    ],
    ['OverridePolicy', 'propagationpolicy.karmada.io/permanent-id', []],
  ])('are found by the permanent id of a %s', (kind, key, want) => {
    const found = Object.values(bindingsOf({ kind, labels: [{ key, value: 'x' }] }, 'asia'));
    expect(found.map((feed) => feed.kind)).toEqual(want);
    expect(found.every(({ labels }) => labels === `${key}=x`)).toBe(true);
  });
});
