import type { ReactNode } from 'react';

/** One component of the kit in one of its states. */
export interface Story {
  /** The component. */
  of: string;
  state: string;
  render: () => ReactNode;
  /** What the address says after the question mark. */
  search?: string;
  /** What somebody does to bring it into its state, once it is drawn. */
  play?: (page: Document) => void;
}

/** How a story is called in an address: `data-table-loading`. */
export function slugOf({ of, state }: Story): string {
  const words = `${of} ${state}`.replace(/([a-z])([A-Z])/g, '$1 $2');
  return words.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
