// What an override policy changes, in words.

import type { TFunction } from 'i18next';
import type { OverrideRuleFieldsFragment, OverriderOperator } from '../../graph/generated/graphql';
import { affinityText } from './placement';

export type OverrideRule = OverrideRuleFieldsFragment;

/** One change of a rule: what is changed, and to what. */
export interface Change {
  what: string;
  operator: OverriderOperator;
  value: string;
}

/** The changes of a rule, in the order in which Karmada applies them. */
export function changesOf({ overriders }: OverrideRule): Change[] {
  const pairs = (values: readonly { key: string; value: string }[]) =>
    values.map(({ key, value }) => (value === '' ? key : `${key}=${value}`)).join(', ');
  return [
    ...overriders.imageOverrider.map(({ predicate, component, operator, value }) => ({
      what: [`image ${component.toLowerCase()}`, predicate?.path].filter(Boolean).join(' '),
      operator,
      value: value ?? '',
    })),
    ...overriders.commandOverrider.map(({ containerName, operator, value }) => ({
      what: `command ${containerName}`,
      operator,
      value: value.join(' '),
    })),
    ...overriders.argsOverrider.map(({ containerName, operator, value }) => ({
      what: `args ${containerName}`,
      operator,
      value: value.join(' '),
    })),
    ...overriders.labelsOverrider.map(({ operator, value }) => ({
      what: 'labels',
      operator,
      value: pairs(value),
    })),
    ...overriders.annotationsOverrider.map(({ operator, value }) => ({
      what: 'annotations',
      operator,
      value: pairs(value),
    })),
    ...overriders.fieldOverrider.flatMap(({ fieldPath, json, yaml }) =>
      [...json, ...yaml].map(({ subPath, operator, value }) => ({
        what: `${fieldPath} ${subPath}`,
        operator,
        value: value ?? '',
      })),
    ),
    ...overriders.plaintext.map(({ path, operator, value }) => ({
      what: path,
      operator,
      value: value ?? '',
    })),
  ];
}

/** The rules in one line, for a list: `hangzhou: image tag; any cluster: labels`. */
export function rulesText(rules: readonly OverrideRule[] | null, t: TFunction): string {
  return (rules ?? [])
    .map(
      (rule) =>
        `${affinityText(rule.targetCluster, t)}: ${changesOf(rule)
          .map(({ what }) => what)
          .join(', ')}`,
    )
    .join('; ');
}
