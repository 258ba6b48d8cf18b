import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../app/kinds';
import type { WorkloadKind } from '../../../graph/generated/graphql';
import { changedFrom, versionFor } from './change';
import type { JsonObject } from './codec';
import { changeOf, inputOf, isObject } from './codec';
import { fieldsOf } from './fields';
import {
  beyondOf,
  laid,
  namedIn,
  parse,
  rewritten,
  selecting,
  skeletonOf,
  turnedInto,
  unshownOf,
  valuesOf,
} from './manifest';
import type { Made } from './placement';
import { createInput, documentsOf, isPlain, NO_PLACEMENT, wrongOverrides, wrongPlacement } from './placement';
import { barsOf } from './preview';

const NAMED = { name: 'cart', namespace: 'shop' };

const MANIFEST = `# Sells.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
  namespace: shop
  labels: {app: cart} # short
spec:
  replicas: 2
  template:
    spec:
      shareProcessNamespace: true
      overhead: {cpu: 1m}
      containers:
        - name: web
          image: web:1
          ports: [{containerPort: 8080, name: http}]
          env:
            - {name: A, value: "1"}
            - {name: B, valueFrom: {secretKeyRef: {name: s, key: k}}}
          readinessProbe: {httpGet: {path: /, port: http}, periodSeconds: 5}
          resources: {requests: {cpu: 250m}}
          imagePullPolicy: IfNotPresent
          tty: true
      volumes: [{name: tmp, emptyDir: {}}]
`;

function read(text: string) {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed;
}

const CONTAINERS = ['form', 'containers', '0'];

describe('a manifest as a form', () => {
  const { kind, object } = read(MANIFEST);
  const values = valuesOf(kind, object);

  it('reads what Kubernetes calls otherwise', () => {
    expect(values).toMatchObject({
      labels: [{ key: 'app', value: 'cart' }],
      replicas: '2',
      containers: [
        {
          imagePullPolicy: 'IF_NOT_PRESENT',
          ports: [{ containerPort: '8080', name: 'http' }],
          env: [
            { name: 'A', value: '1' },
            { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
          ],
          readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: '5' },
        },
      ],
      volumes: [{ name: 'tmp', emptyDir: {} }],
    });
  });

  it('changes nothing when nothing was changed', () => {
    const same = laid(kind, object, values, NAMED);
    expect(same).toEqual(object);
    expect(rewritten(MANIFEST, object, same)).toBe(MANIFEST);
  });

  it('writes one field, and keeps comments and what no form shows', () => {
    const text = rewritten(MANIFEST, object, laid(kind, object, { ...values, replicas: '3' }, NAMED));
    expect(text).toContain('# Sells.');
    expect(text).toContain('# short');
    expect(text).toContain('overhead');
    expect(valuesOf(kind, read(text).object)).toEqual({ ...values, replicas: '3' });
  });

  it('keeps what was typed although it is no number', () => {
    const text = rewritten(MANIFEST, object, laid(kind, object, { ...values, replicas: '3x' }, NAMED));
    expect(text).toContain('replicas: 3x');
    const { input, wrong } = inputOf(fieldsOf(kind), valuesOf(kind, read(text).object));
    expect(input.replicas).toBeUndefined();
    expect(wrong).toEqual([['replicas']]);
  });

  it('makes the input of the graph', () => {
    const { input, wrong } = inputOf(fieldsOf(kind), values);
    expect(wrong).toEqual([]);
    expect(input).toMatchObject({
      replicas: 2,
      shareProcessNamespace: true,
      containers: [
        {
          name: 'web',
          ports: [{ containerPort: 8080, name: 'http' }],
          readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 },
          resources: { requests: [{ key: 'cpu', value: '250m' }] },
        },
      ],
      volumes: [{ name: 'tmp', emptyDir: {} }],
    });
  });

  it('says what the form does not show, and what the graph’s form has no field for', () => {
    expect(beyondOf(kind, object)).toEqual(['/spec/template/spec/overhead']);
    expect(unshownOf(kind, object)).toEqual([
      'shareProcessNamespace',
      'containers[0].tty',
      'spec.template.spec.overhead',
    ]);
  });

  it('says of affinity what is about pods', () => {
    const affinity = 'affinity: {nodeAffinity: {}, podAntiAffinity: {}}\n      shareProcessNamespace';
    const text = MANIFEST.replace('shareProcessNamespace', affinity);
    expect(unshownOf(kind, read(text).object)).toContain('affinity.podAntiAffinity');
    expect(unshownOf(kind, read(text).object)).not.toContain('affinity.nodeAffinity');
  });

  it('takes away what is not there any more, by null', () => {
    const fields = fieldsOf(kind);
    const before = inputOf(fields, values).input;
    const [web] = values.containers as JsonObject[];
    const after = inputOf(fields, {
      ...values,
      replicas: '',
      containers: [
        { ...web, env: [{ name: 'A' }], imagePullPolicy: '' },
        { name: 'side', image: 'b' },
      ],
    }).input;
    expect(changeOf(fields, before, after)).toMatchObject({
      replicas: null,
      containers: [
        { name: 'web', imagePullPolicy: null, env: [{ name: 'A', value: null }] },
        { name: 'side' },
      ],
    });
  });

  it('keeps the labels of Karmada beside those of the form', () => {
    const labels = { app: 'cart', 'policy.karmada.io/applied': 'x' };
    const held = { ...object, metadata: { ...NAMED, labels } };
    expect(valuesOf(kind, held).labels).toEqual([{ key: 'app', value: 'cart' }]);
    const said = laid(kind, held, { ...values, labels: [{ key: 'b', value: '' }] }, NAMED);
    expect(said.metadata).toMatchObject({ labels: { b: '', 'policy.karmada.io/applied': 'x' } });
  });
});

describe('a text that is no workload', () => {
  it.each([
    ['kind: [', 'syntax'],
    ['', 'syntax'],
    ['a: 1\na: 2', 'syntax'],
    ['apiVersion: v1\nkind: Pod', 'kind'],
    ['apiVersion: apps/v1\nkind: Job', 'kind'],
    [MANIFEST.replace('replicas: 2', 'replicas: 9007199254740993'), 'number'],
  ])('%j: %s', (text, reason) => expect(parse(text)).toMatchObject({ ok: false, reason }));
});

it.each(KINDS.map(({ value }) => value))('begins a %s with what the form covers', (kind: WorkloadKind) => {
  const object = skeletonOf(kind, NAMED);
  expect(namedIn(object)).toEqual(NAMED);
  expect(beyondOf(kind, object)).toEqual([]);
});

it('turns one kind into another and keeps what both have', () => {
  const { kind, object } = read(MANIFEST);
  const job = turnedInto('CRON_JOB', valuesOf(kind, object), NAMED);
  const pod = valuesOf('CRON_JOB', job);
  expect(pod).toMatchObject({ restartPolicy: 'NEVER', containers: [{ name: 'web', image: 'web:1' }] });
  expect(pod.replicas).toBeUndefined();
});

describe('the demo’s own manifests', () => {
  const file = new URL('../../../../../playground/demo/asia/shop.yaml', import.meta.url);
  const workloads = parseAllDocuments(readFileSync(file, 'utf8'))
    .map((document) => document.toJS() as JsonObject)
    .flatMap((object) => {
      const known = KINDS.find(({ kind }) => kind === object.kind);
      return known ? [{ kind: known.value, object, name: namedIn(object).name }] : [];
    });
  it.each(workloads)('$name is all in the form', ({ kind, object }) => {
    expect(beyondOf(kind, object)).toEqual([]);
    expect(inputOf(fieldsOf(kind), valuesOf(kind, object)).wrong).toEqual([]);
    expect(laid(kind, object, valuesOf(kind, object), namedIn(object))).toEqual(object);
  });
});

describe('where it goes', () => {
  const { kind, object } = read(MANIFEST);
  const made = (over: Partial<Made> = {}): Made => ({
    instance: 'asia',
    kind,
    named: NAMED,
    object,
    placement: { ...NO_PLACEMENT, clusters: ['tokyo', 'singapore'] },
    overrides: [],
    ...over,
  });

  it('is what createWorkload says as long as it can', () => {
    expect(createInput(made()).input.placement).toEqual({
      clusters: ['tokyo', 'singapore'],
      dependencies: true,
    });
    expect(isPlain({ ...NO_PLACEMENT, labels: [{ key: 'a', value: 'b' }] })).toBe(false);
    expect(isPlain({ ...NO_PLACEMENT, division: 'EVEN' })).toBe(false);
    expect(isPlain({ ...NO_PLACEMENT, by: 'existing', division: 'EVEN' })).toBe(true);
    expect(wrongPlacement(NO_PLACEMENT)).toBe('nowhere');
    expect(wrongPlacement({ ...NO_PLACEMENT, by: 'existing' })).toBeNull();
  });

  it('divides by the weights that were given', () => {
    const placement = {
      ...NO_PLACEMENT,
      clusters: ['tokyo', 'singapore'],
      division: 'STATIC' as const,
      weights: { tokyo: '2' },
    };
    const [policy, workload] = documentsOf(made({ placement }));
    expect(policy).toMatchObject({
      kind: 'PropagationPolicy',
      metadata: { name: 'cart-deployment', namespace: 'shop' },
      spec: {
        placement: {
          replicaScheduling: {
            weightPreference: { staticWeightList: [{ weight: 2 }, { weight: 1 }] },
          },
        },
      },
    });
    expect(workload).toMatchObject({
      spec: { selector: { matchLabels: { 'app.kubernetes.io/name': 'cart' } } },
    });
  });

  it('changes there what is said, and keeps what is not', () => {
    const overrides = [
      {
        clusters: ['tokyo'],
        replicas: '4',
        containers: [
          {
            name: 'web',
            image: 'near/web:1',
            env: [
              { name: 'A', value: '2' },
              { name: 'C', value: '3' },
            ],
          },
        ],
      },
    ];
    expect(createInput(made({ overrides })).input.overrides).toEqual([
      {
        clusters: ['tokyo'],
        replicas: 4,
        containers: [
          {
            name: 'web',
            image: 'near/web:1',
            env: [
              { name: 'A', value: '2' },
              { name: 'C', value: '3' },
            ],
          },
        ],
      },
    ]);
    const [policy] = documentsOf(made({ overrides }));
    const spec = policy?.spec as { overrideRules: { overriders: { plaintext: JsonObject[] } }[] };
    const plaintext = spec.overrideRules[0]?.overriders.plaintext ?? [];
    expect(plaintext.map(({ path }) => path)).toEqual([
      '/spec/replicas',
      '/spec/template/spec/containers/0/image',
      '/spec/template/spec/containers/0/env',
    ]);
    expect(plaintext[2]?.value).toEqual([
      { name: 'A', value: '2' },
      { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      { name: 'C', value: '3' },
    ]);
  });

  it('says which overrides are not whole', () => {
    expect(wrongOverrides([{}, { clusters: ['tokyo'] }, { clusters: ['tokyo'], replicas: '1' }])).toEqual([
      { row: 1, why: 'noClusters' },
      { row: 2, why: 'nothingDifferent' },
    ]);
  });

  it('is a picture of clusters, those with most first', () => {
    const after = [
      { clusterName: 'b', replicas: 2 },
      { clusterName: 'a', replicas: 2 },
      { clusterName: 'c', replicas: 4 },
    ];
    expect(barsOf(after).map(({ cluster, share }) => [cluster, share])).toEqual([
      ['c', 1],
      ['a', 0.5],
      ['b', 0.5],
    ]);
    expect(barsOf([{ clusterName: 'a', replicas: null }])).toEqual([
      { cluster: 'a', replicas: null, share: 1 },
    ]);
  });

  it('names the field that cannot be sent as the form does', () => {
    const text = MANIFEST.replace('periodSeconds: 5', 'periodSeconds: soon');
    expect(createInput(made({ object: read(text).object })).wrong).toEqual([
      [...CONTAINERS, 'readinessProbe', 'periodSeconds'],
    ]);
  });
});

it('selects pods by the labels that they have, or by its name', () => {
  const own = selecting('DEPLOYMENT', skeletonOf('DEPLOYMENT', NAMED));
  const spec = own.spec as JsonObject;
  const template = spec.template as JsonObject;
  const metadata = template.metadata as JsonObject;
  expect(isObject(spec.selector) && spec.selector.matchLabels).toEqual(metadata.labels);
  expect(selecting('JOB', skeletonOf('JOB', NAMED))).toEqual(skeletonOf('JOB', NAMED));
});

describe('an edit', () => {
  const base = MANIFEST.replace('name: cart', 'name: cart\n  resourceVersion: "7"');
  const edit = (from: string, to: string) => changedFrom(base, base.replace(from, to), 'DEPLOYMENT');

  it('goes by the form as long as that can say it', () => {
    expect(edit('web:1', 'web:2')).toMatchObject({
      ok: true,
      resourceVersion: '7',
      form: { containers: [{ name: 'web', image: 'web:2', tty: true }] },
      wrong: [],
    });
    expect(edit('replicas: 2', 'replicas: two')).toMatchObject({ wrong: [['form', 'replicas']] });
  });

  it('goes as a patch where it goes beyond', () => {
    expect(edit('cpu: 1m', 'cpu: 2m')).toMatchObject({ ok: true, form: null });
  });

  it('is of the newest version while only the server changes something', () => {
    const told = base.replace('"7"', '"8"') + 'status: {replicas: 2}\n';
    expect(versionFor(base, told)).toBe('8');
    expect(versionFor(base, told.replace('web:1', 'web:2'))).toBeNull();
    // A namesake that was made since is another one.
    expect(versionFor(base, told.replace('"8"', '"8"\n  uid: another'))).toBeNull();
  });

  it('is none where it is another object, or nothing changed', () => {
    expect(edit('name: cart', 'name: other')).toMatchObject({ ok: false, reason: 'identity' });
    expect(edit('# Sells.', '# Buys.')).toMatchObject({ ok: true, operations: [] });
  });
});
