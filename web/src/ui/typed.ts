// What people type is sent as it stands or not at all: nothing here clamps, rounds or guesses.

/** Replicas of a workload may be at most this many. */
export const MOST_REPLICAS = 100_000;

/** The number of replicas that a text is: digits and nothing else; null for any other text. */
export function replicasOf(typed: string): number | null {
  if (!/^(0|[1-9][0-9]{0,5})$/.test(typed)) return null;
  const replicas = Number(typed);
  return replicas <= MOST_REPLICAS ? replicas : null;
}

/** Names in Kubernetes have at most this many characters. */
export const LONGEST_NAME = 253;

/** Whether a text may be part of a name: those have no spaces, and an end. */
export function isPartOfName(typed: string): boolean {
  return typed.length <= LONGEST_NAME && !/\s/.test(typed);
}

/** Whether a text is the name of a namespace, as Kubernetes has it, or none at all. */
export function isNamespace(typed: string): boolean {
  return typed === '' || (typed.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(typed));
}
