import { expect, it } from 'vitest';
import type { Step } from './steps';
import { hasEnded, ownMessage, shownSteps, subjectOf } from './steps';

const step = (name: string, message = ''): Step => ({
  name,
  message,
  state: 'RUNNING',
  startedAt: null,
  endedAt: null,
});

it('shows steps within the one that they belong to', () => {
  const shown = shownSteps([step('Install'), step('Install: APIServer'), step('Await: later')]);
  expect(shown.map(({ name, within }) => [name, within])).toEqual([
    ['Install', undefined],
    ['APIServer', 'Install'],
    // No step is called so: it is a name with a colon.
    ['Await: later', undefined],
  ]);
});

it('says once what a step says, too', () => {
  const steps = [step('Register', 'waits for the agent')];
  expect(ownMessage({ message: 'waits for the agent', steps })).toBe('');
  expect(ownMessage({ message: 'the token ran out', steps })).toBe('the token ran out');
});

it('knows when nothing more follows', () => {
  expect((['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const).map(hasEnded)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

it('is about an instance, a cluster and an object', () => {
  const promoted = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
  expect(subjectOf({ instanceName: 'asia', clusterName: 'tokyo', object: promoted })).toEqual({
    instance: 'asia',
    cluster: 'tokyo',
    object: 'Deployment shop/web',
  });
  expect(subjectOf({ instanceName: 'asia', clusterName: null, object: null })).toEqual({
    instance: 'asia',
    cluster: '',
    object: '',
  });
});
