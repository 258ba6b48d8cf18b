import { describe, expect, it } from 'vitest';
import type { Viewer } from '../../app/viewer';
import { parseSearch } from '../../app/search';
import type { Binding } from './binding';
import { forceOf, grantableIn, isSubject, lockedBy, subjectParts } from './binding';
import { filterOf, validateAccessSearch } from './search';

const viewer = (over: Partial<Viewer>): Viewer => ({
  name: 'kairship:oidc:ada',
  groups: [],
  roles: [],
  owner: false,
  introspection: false,
  ...over,
});

const binding = (over: object = {}) =>
  ({
    source: 'KAIRSHIP',
    role: 'Viewer',
    roleKind: 'BUILT_IN',
    instance: 'asia',
    namespaces: [],
    conditions: [],
    ...over,
  }) as unknown as Binding;

const ADMIN_OF_ASIA = viewer({ roles: [{ name: 'Admin', instance: 'asia', namespaces: [] }] });

describe('the address of the page', () => {
  it('holds every filter', () => {
    const search = validateAccessSearch(
      parseSearch('?instance=asia&subject=user&subject=odd&name=Ada&role=Admin&source=manifest'),
    );
    expect(filterOf(search)).toEqual({
      instances: ['asia'],
      subjectKinds: ['USER'],
      subjectContains: 'Ada',
      roles: ['Admin'],
      sources: ['MANIFEST'],
    });
  });

  it('is by person on one instance only', () => {
    expect(validateAccessSearch(parseSearch('?by=person')).by).toBeUndefined();
    expect(validateAccessSearch(parseSearch('?by=person&instance=asia')).by).toBe('person');
    expect(filterOf({})).toBeNull();
  });
});

describe('a subject', () => {
  it.each([
    ['kairship:oidc:ada', true],
    ['kairship:host:system:serviceaccount:x:y', true],
    ['kairship:oidc:', false],
    ['ada', false],
    ['kairship:oidc:a b', false],
    [' kairship:oidc:ada', false],
    [`kairship:oidc:${'ä'.repeat(130)}`, false],
  ])('%j: %s', (typed, want) => {
    expect(isSubject(typed)).toBe(want);
  });

  it('is told apart from its origin', () => {
    expect(subjectParts('kairship:oidc:team:blue')).toEqual({ short: 'team:blue', origin: 'oidc' });
    expect(subjectParts('odd')).toEqual({ short: 'odd', origin: '' });
  });
});

describe('who may', () => {
  it.each<[string, Viewer | null, { all: boolean; instances: string[] }]>([
    ['nobody before it is known', null, { all: false, instances: [] }],
    ['owners everywhere', viewer({ owner: true }), { all: true, instances: ['asia', 'europe'] }],
    ['an Admin where they are', ADMIN_OF_ASIA, { all: false, instances: ['asia'] }],
    [
      'an Editor nowhere',
      viewer({ roles: [{ name: 'Editor', instance: null, namespaces: [] }] }),
      { all: false, instances: [] },
    ],
  ])('grant: %s', (_, who, want) => {
    expect(grantableIn(who, ['asia', 'europe'])).toEqual(want);
  });

  it.each<[string, object, Viewer, 'source' | 'role' | null]>([
    ['an owner', { instance: null }, viewer({ owner: true }), null],
    ['an Admin of the instance', {}, ADMIN_OF_ASIA, null],
    ['no Admin of one instance on all of them', { instance: null }, ADMIN_OF_ASIA, 'role'],
    ['no Viewer', {}, viewer({ roles: [{ name: 'Viewer', instance: 'asia', namespaces: [] }] }), 'role'],
    ['nobody what a manifest gives', { source: 'MANIFEST' }, viewer({ owner: true }), 'source'],
  ])('revoke: %s', (_, over, who, want) => {
    expect(lockedBy(binding(over), who)).toBe(want);
  });
});

describe('a role is in force', () => {
  const applied = (status: string) => ({
    conditions: [{ type: 'Applied', status, reason: 'Why', message: 'because', since: null }],
  });
  it.each<[string, object, string]>([
    ['as its condition says', applied('TRUE'), 'yes'],
    ['or not', applied('FALSE'), 'no'],
    ['or nobody has said it', {}, 'unknown'],
    ['never when there is no such role', { ...applied('TRUE'), roleKind: 'UNKNOWN' }, 'no'],
  ])('%s', (_, over, want) => {
    expect(forceOf(binding(over)).word).toBe(want);
  });
});
