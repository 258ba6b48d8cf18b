import type { ObjectType } from '../../app/objects';
import { typeOf } from '../../app/objects';
import type { PageSize } from '../../app/search';
import { many, one, pageSizeOf } from '../../app/search';
import type { ResourceFilter } from '../../graph/generated/graphql';

/** The whole state of the page, as its address says it. */
export interface ResourcesSearch {
  instance?: string;
  /** The kind that is listed, as `ConfigMap.v1`; the kinds themselves when left out. */
  type?: string;
  namespace?: string[];
  name?: string;
  /** A selector of labels, as Kubernetes writes it. */
  labels?: string;
  after?: string;
  size?: PageSize;
}

export function validateResourcesSearch(raw: Record<string, unknown>): ResourcesSearch {
  const type = one(raw.type);
  return {
    instance: one(raw.instance),
    type: type && typeOf(type) ? type : undefined,
    namespace: many(raw.namespace),
    name: one(raw.name),
    labels: one(raw.labels),
    after: one(raw.after),
    size: pageSizeOf(raw.size),
  };
}

export function typeIn({ type }: ResourcesSearch): ObjectType | null {
  return type ? typeOf(type) : null;
}

export function filterOf(search: ResourcesSearch): ResourceFilter | null {
  const { namespace, name, labels } = search;
  if (!isNarrowed(search)) return null;
  return { namespaces: namespace, nameContains: name?.toLowerCase(), labelSelector: labels };
}

export function isNarrowed({ namespace, name, labels }: ResourcesSearch): boolean {
  return (namespace ?? name ?? labels) !== undefined;
}
