import { one } from '../../../app/search';

/** What the address of the page says that makes an instance. */
export interface CreateSearch {
  /** One that runs already; otherwise Kairship installs it. */
  how?: 'attach';
  /** The making that is followed, by its id. */
  operation?: string;
}

export function validateCreateSearch(raw: Record<string, unknown>): CreateSearch {
  return { how: raw.how === 'attach' ? 'attach' : undefined, operation: one(raw.operation) };
}
