import { toneOfPod } from '../../../app/pods/tone';
import type { PodRowFragment } from '../../../graph/generated/graphql';
import type { Tone } from '../../../ui/tones';

const ORDER: readonly Tone[] = ['bad', 'warn', 'unknown', 'busy', 'idle', 'ok'];

/** Pods in trouble first; otherwise by namespace and name. */
export function podsFirst(pods: readonly PodRowFragment[]): PodRowFragment[] {
  const keys = new Map(pods.map((pod) => [pod, `${pod.namespace}/${pod.name}`]));
  return [...pods].sort(
    (a, b) =>
      ORDER.indexOf(toneOfPod(a)) - ORDER.indexOf(toneOfPod(b)) ||
      ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1),
  );
}
