import { describe, expect, it } from 'vitest';
import { NO_NAMESPACE, namespaceOfPath, placeOf, typeOf, typeText } from './objects';

describe('a kind in an address', () => {
  it.each([
    [{ apiVersion: 'v1', kind: 'ConfigMap' }, 'ConfigMap.v1'],
    [{ apiVersion: 'demo.kairship.io/v1', kind: 'Cache' }, 'Cache.v1.demo.kairship.io'],
  ])('%j is %s, and back', (type, text) => {
    expect(typeText(type)).toBe(text);
    expect(typeOf(text)).toEqual(type);
  });

  it.each(['ConfigMap', '', '.v1'])('%j names none', (text) => {
    expect(typeOf(text)).toBeNull();
  });
});

describe('the page of an object', () => {
  it.each([
    [
      { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'cart' },
      { page: 'workload', namespace: 'shop', kind: 'deployment', name: 'cart' },
    ],
    [
      { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'ClusterOverridePolicy', namespace: null, name: 'o' },
      { page: 'policy', namespace: NO_NAMESPACE, kind: 'clusteroverridepolicy', name: 'o' },
    ],
    [
      { apiVersion: 'demo.example/v1', kind: 'Deployment', namespace: 'shop', name: 'namesake' },
      { page: 'resource', type: 'Deployment.v1.demo.example', namespace: 'shop', name: 'namesake' },
    ],
    [
      { apiVersion: 'v1', kind: 'Namespace', namespace: null, name: 'shop' },
      { page: 'resource', type: 'Namespace.v1', namespace: NO_NAMESPACE, name: 'shop' },
    ],
    [{ apiVersion: '', kind: 'Pod', namespace: 'shop', name: 'p' }, null],
    [{ apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: '' }, null],
  ])('of %j', (object, want) => {
    expect(placeOf(object)).toEqual(want);
  });

  it('has no namespace where the address says none', () => {
    expect([namespaceOfPath(NO_NAMESPACE), namespaceOfPath('shop')]).toEqual([undefined, 'shop']);
  });
});
