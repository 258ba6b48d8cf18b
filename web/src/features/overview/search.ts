import { one } from '../../app/search';

/** What the address of the page says. */
export interface OverviewSearch {
  instance?: string;
  /** The code of the cause of which everything is shown. */
  cause?: string;
}

export function validateOverviewSearch(raw: Record<string, unknown>): OverviewSearch {
  return { instance: one(raw.instance), cause: one(raw.cause) };
}
