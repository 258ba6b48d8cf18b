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
    }
  | { type: 'namespace'; instance: string; namespace: string };

/** The address of a place: what Link and navigate take. */
export function linkOf(place: Place) {
  const { instance } = place;
  switch (place.type) {
    case 'instance':
    case 'cluster':
      return linkOptions({ to: '/clusters', search: { instance } });
    case 'namespace':
      return linkOptions({ to: '/workloads', search: { instance, namespace: [place.namespace] } });
    case 'workload':
      return linkOptions({
        to: '/workloads/$instance/$namespace/$kind/$name',
        params: { instance, namespace: place.namespace, kind: pathOfKind(place.kind), name: place.name },
        search: { cluster: place.cluster },
      });
  }
}

/** Whether a kind, as Kubernetes calls it, has pages of its own as a workload. */
export function isWorkloadKind(kind: string): boolean {
  return kindOfPath(kind) !== undefined;
}
