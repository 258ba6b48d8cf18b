import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { failedOf, withFiles } from './manifests';
import { begunWith } from './templates';

it('adds files as further documents', () => {
  expect(withFiles('', ['a: 1\n'])).toBe('a: 1\n');
  expect(withFiles('a: 1\n', ['b: 2', '  \n', 'c: 3\n\n'])).toBe('a: 1\n---\nb: 2\n---\nc: 3\n');
  expect(withFiles(' \n', [])).toBe('');
});

it('counts what failed and what was skipped', () => {
  expect(failedOf([{ outcome: 'CREATED' }, { outcome: 'FAILED' }, { outcome: 'SKIPPED' }])).toBe(2);
});

it.each([
  'ClusterTaintPolicy',
  'FederatedResourceQuota',
  'MultiClusterService',
  'FederatedHPA',
  'CronFederatedHPA',
  'ResourceInterpreterCustomization',
])('begins with a %s, once, after what was written before', (kind) => {
  const begun = begunWith('', kind);
  expect(parse(begun)).toMatchObject({ kind, metadata: { name: '' } });
  expect(begunWith(begun, kind)).toBe(begun);
  expect(begunWith('a: 1', kind)).toBe(`a: 1\n---\n${begun}`);
});

it('begins with nothing where nothing is asked for, or known', () => {
  expect(begunWith('a: 1', undefined)).toBe('a: 1');
  expect(begunWith('', 'ConfigMap')).toBe('');
});
