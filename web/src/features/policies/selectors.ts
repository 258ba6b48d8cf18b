// Selectors as Kubernetes writes them: the same in every language.

import type {
  AffinityFieldsFragment,
  LabelSelectorFieldsFragment,
  PolicyRowFragment,
} from '../../graph/generated/graphql';

type Requirement = LabelSelectorFieldsFragment['matchExpressions'][number];
export type Selector = NonNullable<PolicyRowFragment['resourceSelectors']>[number];

/** One condition: `tier in (web,api)`, `canary`, `!canary`. */
export function requirementText({ key, operator, values }: Requirement): string {
  const list = `(${values.join(',')})`;
  switch (operator) {
    case 'IN':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in ${list}`;
    case 'NOT_IN':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin ${list}`;
    case 'EXISTS':
      return key;
    case 'DOES_NOT_EXIST':
      return `!${key}`;
    case 'GT':
      return `${key}>${values.join(',')}`;
    case 'LT':
      return `${key}<${values.join(',')}`;
  }
}

/** `tier=web,!canary`; empty for a selector that matches everything. */
export function labelText({ matchLabels, matchExpressions }: LabelSelectorFieldsFragment): string {
  return [
    ...matchLabels.map(({ key, value }) => `${key}=${value}`),
    ...matchExpressions.map(requirementText),
  ].join(',');
}

/** What an affinity asks of fields of a cluster: `region=asia,zone in (a,b)`. */
export function fieldText({ fieldSelector }: Pick<AffinityFieldsFragment, 'fieldSelector'>): string {
  return (fieldSelector?.matchExpressions ?? []).map(requirementText).join(',');
}

/** What a policy selects: `Deployment shop/cart`, `ConfigMap tier=web`, `Deployment *`; its own namespace goes without saying. */
export function selectorText(
  { kind, namespace, name, labelSelector }: Selector,
  own: string | null = null,
): string {
  const labels = labelSelector ? labelText(labelSelector) : '';
  const what = name ?? (labels === '' ? '*' : labels);
  return `${kind} ${namespace && namespace !== own ? `${namespace}/` : ''}${what}`;
}
