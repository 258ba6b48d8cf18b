import { one } from '../../../app/search';

/** What the address of the page says that joins a cluster. */
export interface JoinSearch {
  instance?: string;
  /** By an agent in the cluster; otherwise Karmada calls it. */
  mode?: 'pull';
  /** The joining that is followed, by its id. */
  operation?: string;
}

export function validateJoinSearch(raw: Record<string, unknown>): JoinSearch {
  return {
    instance: one(raw.instance),
    mode: raw.mode === 'pull' ? 'pull' : undefined,
    operation: one(raw.operation),
  };
}
