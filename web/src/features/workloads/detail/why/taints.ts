import type { TolerationInput } from '../../../../graph/generated/graphql';
import type { SeenTaint } from '../../../../ui/finding/evidence';

const EFFECTS = {
  NO_SCHEDULE: 'NoSchedule',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
  NO_EXECUTE: 'NoExecute',
} as const;

/** As Kubernetes writes it: `key=value:NoSchedule`. */
export function taintText({ key, value, effect }: Pick<SeenTaint, 'key' | 'value' | 'effect'>): string {
  return `${value ? `${key}=${value}` : key}:${EFFECTS[effect]}`;
}

/** Tolerations for taints: one for each that differs, whatever cluster has it. */
export function tolerationsFor(taints: readonly SeenTaint[]): TolerationInput[] {
  const byText = new Map(taints.map((taint) => [taintText(taint), taint]));
  return [...byText.values()].map(({ key, value, effect }) =>
    value === '' ? { key, operator: 'EXISTS', effect } : { key, operator: 'EQUAL', value, effect },
  );
}
