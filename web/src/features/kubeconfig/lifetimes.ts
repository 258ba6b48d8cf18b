const HOUR = 3600;
const DAY = 24 * HOUR;

/** How long a kubeconfig may be asked to be good, in seconds. */
export const LIFETIMES = [
  { seconds: HOUR, word: 'hour' },
  { seconds: 8 * HOUR, word: 'hours' },
  { seconds: DAY, word: 'day' },
  { seconds: 7 * DAY, word: 'days' },
  { seconds: 30 * DAY, word: 'month' },
] as const;

/** What the server gives who does not say. */
export const USUAL = 8 * HOUR;

/** `asia.kubeconfig.yaml`, or `asia-tokyo.kubeconfig.yaml` for a member. */
export function fileName(instance: string, cluster: string | undefined): string {
  return `${cluster ? `${instance}-${cluster}` : instance}.kubeconfig.yaml`;
}

/** The namespaces that somebody's roles on an instance are confined to; empty when they are not. */
export function confinedTo(
  instance: string,
  roles: readonly { instance: string | null; namespaces: readonly string[] }[],
): string[] {
  const here = roles.filter((role) => role.instance === null || role.instance === instance);
  if (here.some(({ namespaces }) => namespaces.length === 0)) return [];
  return [...new Set(here.flatMap(({ namespaces }) => namespaces))].sort();
}
