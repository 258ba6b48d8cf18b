import { describe, expect, it } from 'vitest';
import { confinedTo, fileName, LIFETIMES, USUAL } from './lifetimes';

describe('a kubeconfig', () => {
  it('is a file that says what it is for', () => {
    expect(fileName('asia', undefined)).toBe('asia.kubeconfig.yaml');
    expect(fileName('asia', 'tokyo')).toBe('asia-tokyo.kubeconfig.yaml');
  });

  it('is usually good for one of the lifetimes that are offered', () => {
    expect(LIFETIMES.map(({ seconds }) => seconds)).toContain(USUAL);
  });
});

describe('confinedTo', () => {
  const role = (instance: string | null, ...namespaces: string[]) => ({ instance, namespaces });
  it.each([
    ['the namespaces of the roles here', [role('asia', 'web', 'shop'), role(null, 'shop')], ['shop', 'web']],
    ['nothing where one role holds in all of them', [role('asia', 'shop'), role(null)], []],
    ['nothing of another instance', [role('europe', 'shop')], []],
  ])('is %s', (_, roles, want) => {
    expect(confinedTo('asia', roles)).toEqual(want);
  });
});
