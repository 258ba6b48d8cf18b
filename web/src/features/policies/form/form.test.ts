import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { blamedOf, stillSaid } from './blame';
import {
  append,
  edited,
  isShown,
  jsonOf,
  numberOf,
  opened,
  pathText,
  remove,
  saysJson,
  set,
  setJson,
  setPairs,
  setWords,
} from './document';
import { isOpen, NO_DRAFTS, withDraft, withoutPath } from './drafts';
import { choicesOf } from './kinds';
import { pairsSay, wrongPairs } from './pairs';
import type { Field, Shape } from './shape';
import { shapeOf } from './shape';

const POLICY = `# Who is asked: the shop
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: cart
  namespace: shop
spec:
  # chosen by hand
  placement:
    clusterAffinity:
      clusterNames:
      - tokyo # first
      - hangzhou
    someday: {of: karmada}
  resourceSelectors:
  - apiVersion: apps/v1
    kind: Deployment
    name: cart
    newer: true
  priority: 3
`;

const opening = (text: string) => {
  const found = opened(text);
  if (!found.ok) throw new Error(found.reason);
  return found;
};

describe('a manifest that a form opens', () => {
  it('is shown, and what has no field is named', () => {
    const { kind, hidden, value } = opening(POLICY);
    expect(kind).toBe('PropagationPolicy');
    expect(hidden).toEqual(['spec.placement.someday', 'spec.resourceSelectors[0].newer']);
    expect(value.spec).toMatchObject({ priority: 3n });
  });

  it.each([
    ['syntax', 'a: [b'],
    ['syntax', 'kind: A\nkind: B'],
    ['several', `${POLICY}---\n${POLICY}`],
    ['object', 'a text'],
    ['object', ''],
    ['kind', 'apiVersion: v1\nkind: ConfigMap'],
    ['kind', POLICY.replace('v1alpha1', 'v9')],
    ['anchors', POLICY.replace('priority: 3', 'priority: &p 3\n  schedulerName: *p')],
    ['shape', POLICY.replace('priority: 3', 'failover: yes')],
    ['shape', POLICY.replace('priority: 3', 'propagateDeps: "true"')],
    ['shape', POLICY.replace('clusterAffinity:', 'spreadConstraints: [cluster]\n    clusterAffinity:')],
  ])('is left to the YAML when it is not its own (%s)', (reason, text) => {
    expect(opened(text)).toMatchObject({ ok: false, reason });
  });

  it('says where something else stands', () => {
    expect(opened(POLICY.replace('priority: 3', 'failover: yes'))).toMatchObject({ detail: 'spec.failover' });
  });

  it('takes a null for nothing', () => {
    const text = POLICY.replace('priority: 3', 'failover:');
    expect(opening(text).hidden).toHaveLength(2);
    const after = edited(text, (document) =>
      set(document, ['spec', 'failover', 'cluster', 'purgeMode'], 'Directly'),
    );
    expect(parse(after)).toMatchObject({ spec: { failover: { cluster: { purgeMode: 'Directly' } } } });
  });
});

describe('an edit', () => {
  it('changes nothing but what it is about', () => {
    const after = edited(POLICY, (document) => set(document, ['spec', 'priority'], 4n));
    expect(after).toBe(POLICY.replace('priority: 3', 'priority: 4'));
  });

  it('keeps comments, the words of others and how lists are indented', () => {
    const path = ['spec', 'placement', 'clusterAffinity', 'clusterNames'];
    const after = edited(POLICY, (document) => setWords(document, path, ['tokyo', 'singapore']));
    expect(after).toBe(POLICY.replace('- hangzhou', '- singapore'));
  });

  it('puts words into another order', () => {
    const path = ['spec', 'placement', 'clusterAffinity', 'clusterNames'];
    const after = edited(POLICY, (document) => setWords(document, path, ['hangzhou', 'tokyo']));
    expect(parse(after)).toMatchObject({
      spec: { placement: { clusterAffinity: { clusterNames: ['hangzhou', 'tokyo'] } } },
    });
  });

  it('takes away what holds nothing more', () => {
    const text = edited(POLICY, (document) =>
      setPairs(
        document,
        ['spec', 'placement', 'clusterAffinity', 'labelSelector', 'matchLabels'],
        [{ key: 'env', value: 'on' }],
      ),
    );
    expect(text).toContain('env: "on"');
    const after = edited(text, (document) =>
      setPairs(document, ['spec', 'placement', 'clusterAffinity', 'labelSelector', 'matchLabels'], []),
    );
    expect(after).toBe(POLICY);
  });

  it('leaves there what has to be there, empty as it is', () => {
    const rule = ['spec', 'overrideRules', 0];
    const text = edited(POLICY.replace('Propagation', 'Override'), (document) => {
      append(document, ['spec', 'overrideRules'], { overriders: {} });
      append(document, [...rule, 'overriders', 'plaintext'], { operator: 'add' });
      remove(document, [...rule, 'overriders', 'plaintext', 0]);
    });
    expect((parse(text) as { spec: { overrideRules: unknown } }).spec.overrideRules).toEqual([
      { overriders: {} },
    ]);
    const failover = edited(POLICY, (document) =>
      set(document, ['spec', 'failover', 'application', 'purgeMode'], 'Never'),
    );
    expect(parse(failover)).toMatchObject({
      spec: { failover: { application: { purgeMode: 'Never', decisionConditions: {} } } },
    });
  });

  it.each([
    'yes',
    'No',
    'on',
    'y',
    'null',
    '~',
    '1',
    '1.5',
    '0x1f',
    '1_000',
    '12:30',
    '2026-01-01',
    ' a',
    '# a',
    'a: b',
    '',
  ])('keeps the text %j a text, also for a reader of YAML 1.1', (typed) => {
    const after = edited(POLICY, (document) => set(document, ['spec', 'schedulerName'], typed));
    const read = parse(after, { version: '1.1' }) as { spec: { schedulerName: unknown } };
    expect(read.spec.schedulerName).toBe(typed);
  });

  it('changes labels in their place', () => {
    const text = POLICY.replace('namespace: shop', 'namespace: shop\n  labels:\n    a: x # kept\n    b: z');
    const after = edited(text, (document) =>
      setPairs(
        document,
        ['metadata', 'labels'],
        [
          { key: 'a', value: 'x' },
          { key: 'c', value: 'z' },
        ],
      ),
    );
    expect(after).toBe(text.replace('b: z', 'c: z'));
  });

  it('begins where there is nothing yet', () => {
    const after = edited('spec:\n', (document) =>
      append(document, ['spec', 'resourceSelectors'], { kind: 'Job' }),
    );
    expect(parse(after)).toEqual({ spec: { resourceSelectors: [{ kind: 'Job' }] } });
  });
});

describe('numbers', () => {
  it('are sent as they are typed, or as the text that they are', () => {
    expect(numberOf('')).toBeUndefined();
    expect(numberOf('9007199254740993')).toBe(9007199254740993n);
    expect(['-1', '0'].map(numberOf)).toEqual([-1n, 0n]);
    expect(['1.5', '007', '1e3', 'many', ' 1'].map(numberOf)).toEqual(['1.5', '007', '1e3', 'many', ' 1']);
    const after = edited(POLICY, (document) =>
      set(document, ['spec', 'priority'], numberOf('9007199254740993')),
    );
    expect(after).toContain('priority: 9007199254740993\n');
    expect(opening(after).value.spec).toMatchObject({ priority: 9007199254740993n });
  });
});

describe('JSON', () => {
  it.each([
    '"blue"',
    '3',
    '9007199254740993',
    '{"a": [1, true, null], "yes": "no"}',
    '[]',
    '"0.09"',
    '"😀\\n"',
  ])('comes back as it was typed: %s', (json) => {
    const after = edited(POLICY, (document) => setJson(document, ['spec', 'placement', 'value'], json));
    const { spec } = opening(after).value as { spec: { placement: { value: unknown } } };
    expect(saysJson(json, spec.placement.value)).toBe(true);
    if (!json.includes('9007')) {
      const again = JSON.parse(jsonOf(spec.placement.value)) as unknown;
      expect(again).toEqual(JSON.parse(json));
    }
  });

  it('is none while it is half typed', () => {
    for (const typed of ['blue', '{"a"', "{'a': 1}", '{"a": 1, "a": 2}'])
      expect(saysJson(typed, typed)).toBe(false);
  });
});

describe('what the server says', () => {
  const shape = shapeOf('PropagationPolicy');
  if (!shape) throw new Error('no shape');
  const where = (message: string) => {
    const { at, rest } = blamedOf([{ message }], shape);
    return { at: [...at].map(([key, { said }]) => [key, ...said]), rest: rest.length };
  };

  it('stands at the field that it names', () => {
    const message =
      'PropagationPolicy "a" is invalid: spec.placement.spreadConstraints[0].minGroups: Invalid value: "x"';
    expect(where(message)).toEqual({
      at: [
        [
          'spec.placement.spreadConstraints[0].minGroups',
          'spec.placement.spreadConstraints[0].minGroups: Invalid value: "x"',
        ],
      ],
      rest: 0,
    });
  });

  it('is told apart where it is about several', () => {
    expect(
      where(
        'is invalid: [spec.priority: Invalid value: 1, spec.failover.application.purgeMode: Unsupported value: "x"]',
      ).at,
    ).toEqual([
      ['spec.priority', 'spec.priority: Invalid value: 1'],
      ['spec.failover.application.purgeMode', 'spec.failover.application.purgeMode: Unsupported value: "x"'],
    ]);
  });

  it('says all of it, though it names its field again', () => {
    const words = 'spec.priority: Invalid value: 0: spec.priority in body should be 1';
    expect(where(`is invalid: ${words}`).at).toEqual([['spec.priority', words]]);
    expect(where('unknown field "spec.priority"').at).toEqual([
      ['spec.priority', 'unknown field "spec.priority"'],
    ]);
  });

  it('stands at the nearest place that the form has', () => {
    expect(where('spec.placement.clusterAffinity.clusterNames[1]: Duplicate').at[0]?.[0]).toBe(
      'spec.placement.clusterAffinity.clusterNames',
    );
    expect(where('manifest: metadata.namespace: is missing').at[0]?.[0]).toBe('metadata.namespace');
  });

  it('is left over when it names none', () => {
    expect(where('the instance is away')).toEqual({ at: [], rest: 1 });
    expect(where('spec.unheard: no')).toEqual({ at: [], rest: 1 });
  });

  it('goes once the field is another', () => {
    const blamed = blamedOf(
      [{ message: 'spec.priority: too high' }, { message: 'metadata.name: taken' }],
      shape,
    );
    const then = opening(POLICY).value;
    const now = opening(POLICY.replace('priority: 3', 'priority: 2')).value;
    expect([...stillSaid(blamed, then, now).keys()]).toEqual(['metadata.name']);
  });
});

describe('what is no object yet', () => {
  it('goes with its item, and moves with those after it', () => {
    const at = (index: number) => ['spec', 'rules', index, 'value'];
    let drafts = NO_DRAFTS;
    for (const index of [0, 1, 2]) drafts = withDraft(drafts, at(index), { typed: index, open: index === 2 });
    expect(isOpen(drafts)).toBe(true);
    const left = withoutPath(drafts, ['spec', 'rules', 1]);
    expect([...left].map(([key, { typed }]) => [key, typed])).toEqual([
      ['spec.rules[0].value', 0],
      ['spec.rules[1].value', 2],
    ]);
    expect(isOpen(withoutPath(left, ['spec', 'rules', 1]))).toBe(false);
  });

  it('is a row without a key, or with that of another', () => {
    const row = (key: string) => ({ key, value: '' });
    expect(wrongPairs([row('a'), row('b')])).toBeNull();
    expect(wrongPairs([row('a'), row('')])).toEqual(row(''));
    expect(wrongPairs([row('a'), row('a')])).toEqual(row('a'));
    expect(pairsSay([row('a'), row('b')], [row('b'), row('a')])).toBe(true);
    expect(pairsSay([row('a')], [{ key: 'a', value: 'x' }])).toBe(false);
  });
});

it('a field that means nothing beside the others is seen only where it is set', () => {
  const field: Field = { is: 'text', label: 'value', when: ({ operator }) => operator !== 'Exists' };
  expect(isShown(field, 'value', { operator: 'Exists' })).toBe(false);
  expect(isShown(field, 'value', { operator: 'Exists', value: 'x' })).toBe(true);
  expect(isShown({ is: 'flag', label: 'association', old: true }, 'association', {})).toBe(false);
});

describe('the kinds to choose from', () => {
  const kind = (kind: string, apiVersion: string, over: object = {}) => ({
    kind,
    apiVersion,
    group: apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '',
    version: 'v1',
    name: kind.toLowerCase(),
    scope: 'NAMESPACED' as const,
    shortNames: [],
    verbs: ['list'],
    preferred: true,
    synced: true,
    custom: false,
    ...over,
  });
  const kinds = [
    kind('ClusterRole', 'rbac.authorization.k8s.io/v1', { scope: 'CLUSTER' }),
    kind('PropagationPolicy', 'policy.karmada.io/v1alpha1'),
    kind('Service', 'v1'),
    kind('Deployment', 'apps/v1'),
    kind('TokenReview', 'authentication.k8s.io/v1', { verbs: ['create'] }),
  ];
  const of = (clusterWide: boolean, current = { apiVersion: '', kind: '' }) =>
    choicesOf(kinds, current, clusterWide).map(({ value }) => value);

  it('are those that Karmada propagates, and what stands there', () => {
    expect(of(false)).toEqual(['Deployment.v1.apps', 'Service.v1']);
    expect(of(true)).toEqual([
      'Deployment.v1.apps',
      'Service.v1',
      'ClusterRole.v1.rbac.authorization.k8s.io',
    ]);
    expect(of(false, { apiVersion: 'example.com/v1', kind: 'Shop' })).toContain('Shop.v1.example.com');
  });
});

/** An object that sets every field of a shape. */
function full(shape: Shape): unknown {
  switch (shape.is) {
    case 'group':
      return Object.fromEntries(Object.entries(shape.fields).map(([name, field]) => [name, full(field)]));
    case 'list':
      return [full(shape.of)];
    case 'choice':
      return shape.options[0];
    case 'words':
    case 'lines':
      return ['a'];
    case 'pairs':
      return { a: 'b' };
    case 'number':
      return 1;
    case 'flag':
      return true;
    case 'json':
      return { a: 1 };
    case 'text':
      return 'a';
  }
}

it.each(['PropagationPolicy', 'ClusterPropagationPolicy', 'OverridePolicy', 'ClusterOverridePolicy'])(
  'a %s with everything set hides nothing, and is unchanged by an edit that is taken back',
  (kind) => {
    const shape = shapeOf(kind);
    if (!shape) throw new Error(kind);
    const text = JSON.stringify({
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind,
      ...(full(shape) as object),
    });
    expect(opening(text).hidden).toEqual([]);
    const once = edited(text, (document) => set(document, ['metadata', 'name'], 'other'));
    const back = edited(once, (document) => set(document, ['metadata', 'name'], 'a'));
    expect(parse(back)).toEqual(JSON.parse(text));
    expect(pathText(['spec', 'a', 0, 'b'])).toBe('spec.a[0].b');
  },
);
