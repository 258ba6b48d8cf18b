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

/** Whether a text is a DNS label of at most so many characters, as the names of instances and clusters are. */
export function isDNSLabel(typed: string, most = 63): boolean {
  return typed.length <= most && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(typed);
}

const WORD = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** Whether a text is the key of a label or taint: a name, which a DNS name and a slash may precede. */
export function isLabelKey(typed: string): boolean {
  const [name = '', prefix, ...more] = typed.split('/').reverse();
  if (more.length > 0 || name.length > 63 || !WORD.test(name)) return false;
  return (
    prefix === undefined ||
    (prefix.length <= LONGEST_NAME && prefix.split('.').every((part) => isDNSLabel(part)))
  );
}

/** Whether a text is the value of a label or taint; it may be empty. */
export function isLabelValue(typed: string): boolean {
  return typed === '' || (typed.length <= 63 && WORD.test(typed));
}

/** The whole number between two bounds that a text is; null for any other text. */
export function wholeNumberOf(typed: string, least: number, most: number): number | null {
  if (!/^(0|[1-9][0-9]{0,8})$/.test(typed)) return null;
  const number = Number(typed);
  return number >= least && number <= most ? number : null;
}
