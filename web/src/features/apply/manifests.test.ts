import { expect, it } from 'vitest';
import { failedOf, withFiles } from './manifests';

it('adds files as further documents', () => {
  expect(withFiles('', ['a: 1\n'])).toBe('a: 1\n');
  expect(withFiles('a: 1\n', ['b: 2', '  \n', 'c: 3\n\n'])).toBe('a: 1\n---\nb: 2\n---\nc: 3\n');
  expect(withFiles(' \n', [])).toBe('');
});

it('counts what failed and what was skipped', () => {
  expect(failedOf([{ outcome: 'CREATED' }, { outcome: 'FAILED' }, { outcome: 'SKIPPED' }])).toBe(2);
});
