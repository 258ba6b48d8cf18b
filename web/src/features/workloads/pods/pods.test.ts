import { describe, expect, it } from 'vitest';
import type { PodRowFragment } from '../../../graph/generated/graphql';
import { containersOf, podOfKey, toneOfPod } from './pod';
import { pathOf } from './PodTerminal';
import { validatePodsSearch } from './search';

describe('an address', () => {
  it.each([
    ['tokyo/cart-1', { cluster: 'tokyo', pod: 'cart-1' }],
    ['tokyo', undefined],
    ['tokyo/', undefined],
    ['a/b/c', undefined],
  ])('names by %s %j', (key, want) => {
    expect(podOfKey(key)).toEqual(want);
  });

  it('says what is shown of which pods, and nothing that cannot be', () => {
    expect(
      validatePodsSearch({
        log: ['tokyo/a', 'nonsense', 'tokyo/b'],
        terminal: '../x/y',
        container: 'app',
        previous: 'true',
        tail: '500',
        since: 'hour',
      }),
    ).toEqual({
      log: ['tokyo/a', 'tokyo/b'],
      terminal: undefined,
      container: 'app',
      previous: true,
      tail: 500,
      since: 'hour',
    });
    expect(validatePodsSearch({ tail: '7', since: 'toString', log: 'x' })).toEqual({});
  });

  it('follows no more logs than the graph does', () => {
    const log = Array.from({ length: 150 }, (_, index) => `tokyo/pod-${index}`);
    expect(validatePodsSearch({ log }).log).toHaveLength(100);
  });
});

it.each([
  ['RUNNING', true, 'Running', 'ok'],
  ['RUNNING', false, 'Running', 'warn'],
  ['RUNNING', false, 'CrashLoopBackOff', 'bad'],
  ['RUNNING', true, 'Terminating', 'idle'],
  ['PENDING', false, 'ContainerCreating', 'busy'],
  ['PENDING', false, 'ImagePullBackOff', 'bad'],
  ['SUCCEEDED', false, 'Completed', 'ok'],
  ['FAILED', false, 'Error', 'bad'],
  ['UNKNOWN', false, 'Unknown', 'unknown'],
] as const)('a pod that is %s, ready: %s, %s looks %s', (phase, ready, reason, want) => {
  expect(toneOfPod({ phase, ready, reason })).toBe(want);
});

it('offers the containers that do the work first, each once', () => {
  const pod = (...containers: [string, 'MAIN' | 'INIT' | 'SIDECAR'][]) =>
    ({ containers: containers.map(([name, role]) => ({ name, role, restarts: 0 })) }) as PodRowFragment;
  expect(
    containersOf([pod(['setup', 'INIT'], ['app', 'MAIN']), pod(['app', 'MAIN'], ['mesh', 'SIDECAR'])]),
  ).toEqual(['app', 'setup', 'mesh']);
});

it('runs a command where Kubernetes does, word by word, and lets no name lead elsewhere', () => {
  const pod = { cluster: 'tokyo', pod: '..%2f?x#y' };
  expect(pathOf('asia', 'shop', pod, 'app', 'sh -l')).toBe(
    '/instances/asia/clusters/tokyo/api/v1/namespaces/shop/pods/..%252f%3Fx%23y/exec' +
      '?container=app&stdin=true&stdout=true&tty=true&command=sh&command=-l',
  );
});
