import type { AuditRowFragment } from '../../graph/generated/graphql';

export { toneOfOutcome } from '../../ui/tones';

export type AuditRow = AuditRowFragment;

/** What was acted on, as far as it is known: `Deployment`, `pods/exec`; empty when nothing is. */
export function kindText({ kind, resource, subresource }: AuditRow): string {
  return [kind ?? resource, subresource].filter(Boolean).join('/');
}

/** `shop/cart`, `cart`, or all of `shop/`. */
export function nameText({ namespace, name }: AuditRow): string {
  return (namespace ? `${namespace}/` : '') + (name ?? '');
}

/** `asia / tokyo`, or the control plane `asia` itself. */
export function placeText({ instanceName, clusterName }: AuditRow): string {
  return [instanceName, clusterName].filter(Boolean).join(' / ');
}

/** A duration as people say it: milliseconds, seconds with a decimal, then whole units. */
export function durationText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
