// What can be done on the page that is shown: pages say so while they are there, and the palette offers it.

import { useEffect, useSyncExternalStore } from 'react';

export interface Command {
  /** Unique; stable. */
  id: string;
  /** What it does, verb first. */
  label: string;
  detail?: string;
  run: () => void;
}

const EMPTY: readonly Command[] = [];
let offered = EMPTY;
const listeners = new Set<() => void>();

function offer(commands: readonly Command[]): void {
  offered = commands;
  for (const listener of [...listeners]) listener();
}

/**
 * Offers commands as long as the component is there; those that the viewer may not use are left out by the caller.
 * Memoised: others replace them.
 */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    offer([...offered, ...commands]);
    return () => offer(offered.filter((command) => !commands.includes(command)));
  }, [commands]);
}

/** What is offered now. */
export function useOffered(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offered,
  );
}
