import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '../../app/search';
import type { KindFieldsFragment } from '../../graph/generated/graphql';
import { commonKinds, isBegun, kindsOf, matchesKind } from './kinds';
import { filterOf, isNarrowed, typeIn, validateResourcesSearch } from './search';
import type { Row, Target } from './where';
import { compareRows, factOf, problemsFirst, toneOf } from './where';

const kind = (over: Partial<KindFieldsFragment>): KindFieldsFragment => ({
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'configmaps',
  scope: 'NAMESPACED',
  shortNames: ['cm'],
  verbs: ['get', 'list'],
  preferred: true,
  synced: true,
  custom: false,
  ...over,
});

describe('kinds of several instances', () => {
  const kinds = kindsOf([
    {
      name: 'asia',
      apiResources: [kind({}), kind({ kind: 'Binding', name: 'bindings', verbs: ['create'] })],
    },
    {
      name: 'europe',
      apiResources: [
        kind({ group: 'b.example', apiVersion: 'b.example/v1', kind: 'Service', name: 'services' }),
        kind({ version: 'v0', apiVersion: 'v0', preferred: false }),
        kind({}),
      ],
    },
    { name: 'dead', apiResources: null },
  ]);

  it('are told once, with who serves them; what cannot be listed, and old versions, are left out', () => {
    expect(kinds.map(({ apiVersion, kind, instances }) => [apiVersion, kind, instances])).toEqual([
      ['v1', 'ConfigMap', ['asia', 'europe']],
      ['b.example/v1', 'Service', ['europe']],
    ]);
  });

  it('are common by group, too: a namesake is not', () => {
    expect(commonKinds(kinds).map(({ kind }) => kind)).toEqual(['ConfigMap']);
  });

  it.each([
    ['config', true],
    ['cm', true],
    ['c', true],
    ['pod', false],
  ])('are found by %s: %s', (typed, want) => {
    expect(matchesKind({ ...kind({}), instances: [] }, typed)).toBe(want);
  });
});

describe('the address of the resources', () => {
  it('holds the kind and every filter', () => {
    const text =
      '?instance=asia&type=Cache.v1.demo.kairship.io&namespace=platform&name=page&labels=tier+in+%28web%29';
    const search = validateResourcesSearch(parseSearch(text));
    expect(parseSearch(stringifySearch(search as Record<string, unknown>))).toEqual(parseSearch(text));
    expect(typeIn(search)).toEqual({ kind: 'Cache', apiVersion: 'demo.kairship.io/v1' });
    expect(filterOf(search)).toEqual({
      namespaces: ['platform'],
      nameContains: 'page',
      labelSelector: 'tier in (web)',
    });
  });

  it('knows no kind in half a word', () => {
    expect(validateResourcesSearch(parseSearch('?type=ConfigMap')).type).toBeUndefined();
    expect(isNarrowed({ type: 'ConfigMap.v1' })).toBe(false);
  });
});

describe('where an object is', () => {
  const fact = (value: string, reason = 'x') => ({ value, reason, message: '', since: null });
  const target = (clusterName: string, over: object = {}) =>
    ({
      clusterName,
      reason: 'SCHEDULED',
      desiredReplicas: null,
      scheduled: fact('TRUE'),
      applied: fact('TRUE'),
      healthy: fact('TRUE'),
      ...over,
    }) as unknown as Target;

  it.each<[string, object, string]>([
    ['all is well', {}, 'ok'],
    ['its kind has no health', { healthy: fact('UNKNOWN', 'NoHealthCheck') }, 'ok'],
    ['it was refused', { applied: fact('FALSE') }, 'bad'],
    ['it is held back', { applied: fact('FALSE', 'DispatchingSuspended') }, 'idle'],
    ['nobody knows', { applied: fact('UNKNOWN') }, 'unknown'],
    ['it does not work', { healthy: fact('FALSE') }, 'warn'],
    ['it moves away', { reason: 'EVICTING' }, 'warn'],
  ])('%s', (_, over, tone) => {
    expect(toneOf(target('a', over))).toBe(tone);
  });

  it('names the fact that decides, and problems first', () => {
    const bad = target('z', { applied: fact('FALSE', 'Refused') });
    expect(factOf(bad).reason).toBe('Refused');
    expect(problemsFirst([target('b'), target('a'), bad]).map(({ clusterName }) => clusterName)).toEqual([
      'z',
      'a',
      'b',
    ]);
  });

  it('is listed by instance, namespace and name', () => {
    const row = (instance: string, namespace: string | null, name: string) =>
      ({ instance: { name: instance }, namespace, name }) as Row;
    const sorted = [row('b', 'x', 'a'), row('a', 'x', 'b'), row('a', 'x', 'a'), row('a', null, 'z')].sort(
      compareRows,
    );
    expect(sorted.map(({ instance, name }) => `${instance?.name} ${name}`)).toEqual([
      'a z',
      'a a',
      'a b',
      'b a',
    ]);
  });
});

it('Karmada’s own kinds without a form can be begun, where they can be made', () => {
  const quota = kind({
    group: 'policy.karmada.io',
    kind: 'FederatedResourceQuota',
    verbs: ['list', 'create'],
  });
  expect(isBegun(quota)).toBe(true);
  expect(isBegun({ ...quota, verbs: ['list'] })).toBe(false);
  expect(isBegun({ ...quota, group: 'example.com' })).toBe(false);
});
