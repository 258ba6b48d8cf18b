// What there is to go to, and where that is. Pages and the palette name things, and this says their addresses.

import { linkOptions } from '@tanstack/react-router';
import { kindOfPath, pathOfKind } from './kinds';
import type { ObjectName } from './objects';
import { placeOf } from './objects';

export type Place =
  | { type: 'instance'; instance: string }
  | { type: 'cluster'; instance: string; cluster: string }
  | {
      type: 'workload';
      instance: string;
      namespace: string;
      kind: string;
      name: string;
      /** The cluster in which it is looked at. */
      cluster?: string;
      tab?: 'pods';
    }
  /** An object of the control plane, of any kind. */
  | { type: 'object'; instance: string; object: ObjectName }
  | { type: 'namespace'; instance: string; namespace: string }
  /** The workloads of all instances whose names contain a text. */
  | { type: 'workloads'; name: string };

/** The address of a place: what Link and navigate take. */
export function linkOf(place: Place) {
  switch (place.type) {
    case 'instance': {
      const { instance } = place;
      return linkOptions({ to: '/clusters/$instance', params: { instance } });
    }
    case 'cluster': {
      const { instance, cluster } = place;
      return linkOptions({ to: '/clusters/$instance/$cluster', params: { instance, cluster } });
    }
    case 'object':
      return linkOfObject(place.instance, place.object);
    case 'namespace': {
      const { instance, namespace } = place;
      return linkOptions({ to: '/workloads', search: { instance, namespace: [namespace] as string[] } });
    }
    case 'workloads':
      return linkOptions({ to: '/workloads', search: { name: place.name } });
    case 'workload': {
      const { instance, namespace, kind, name, cluster, tab } = place;
      return linkOptions({
        to: '/workloads/$instance/$namespace/$kind/$name',
        params: { instance, namespace, kind: pathOfKind(kind), name },
        search: { cluster, tab },
      });
    }
  }
}

/** Where an object is shown that is named as far as it must be; else the instance that holds it. */
function linkOfObject(instance: string, object: ObjectName) {
  const place = placeOf(object);
  if (!place) return linkOptions({ to: '/clusters/$instance', params: { instance } });
  const { namespace, name } = place;
  switch (place.page) {
    case 'workload': {
      const params = { instance, namespace, kind: place.kind, name };
      return linkOptions({ to: '/workloads/$instance/$namespace/$kind/$name', params });
    }
    case 'policy': {
      const params = { instance, namespace, kind: place.kind, name };
      return linkOptions({ to: '/policies/$instance/$namespace/$kind/$name', params });
    }
    case 'resource': {
      const params = { instance, type: place.type, namespace, name };
      return linkOptions({ to: '/resources/$instance/$type/$namespace/$name', params });
    }
  }
}

/** Whether a kind, as Kubernetes calls it, has pages of its own as a workload. */
export function isWorkloadKind(kind: string): boolean {
  return kindOfPath(kind) !== undefined;
}
