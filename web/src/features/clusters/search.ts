import { one } from '../../app/search';

/** What the address of the page says. */
export interface ClustersSearch {
  instance?: string;
  /** The instance whose console is open. */
  console?: string;
}

export function validateClustersSearch(raw: Record<string, unknown>): ClustersSearch {
  return { instance: one(raw.instance), console: one(raw.console) };
}
