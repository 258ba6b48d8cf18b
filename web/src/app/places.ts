// What there is to go to, and where that is. Pages and the palette name things, and this says their addresses.

import { linkOptions } from '@tanstack/react-router';
import { kindOfPath, pathOfKind } from './kinds';

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
  | { type: 'namespace'; instance: string; namespace: string }
  /** The workloads of all instances whose names contain a text. */
  | { type: 'workloads'; name: string };

/** The address of a place: what Link and navigate take. */
export function linkOf(place: Place) {
  switch (place.type) {
    case 'instance':
    case 'cluster':
      return linkOptions({ to: '/clusters', search: { instance: place.instance } });
    case 'namespace': {
      const { instance, namespace } = place;
      return linkOptions({ to: '/workloads', search: { instance, namespace: [namespace] } });
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

/** Whether a kind, as Kubernetes calls it, has pages of its own as a workload. */
export function isWorkloadKind(kind: string): boolean {
  return kindOfPath(kind) !== undefined;
}
