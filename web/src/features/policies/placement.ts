// A placement in words: which clusters, and how many replicas in each.

import type { TFunction } from 'i18next';
import type { AffinityFieldsFragment, PlacementFieldsFragment } from '../../graph/generated/graphql';
import { fieldText, labelText } from './selectors';

export type Placement = PlacementFieldsFragment;
type Group = Placement['clusterAffinities'][number];
type Toleration = Placement['clusterTolerations'][number];
type Spread = Placement['spreadConstraints'][number];

/** One statement of a placement. */
export interface Statement {
  about: 'clusters' | 'replicas' | 'spread' | 'tolerations' | 'affinity';
  text: string;
}

/** What a placement says, in the order in which Karmada's scheduler takes it. */
export function statementsOf(placement: Placement | null, t: TFunction): Statement[] {
  return [
    ...clusterTexts(placement, t).map((text): Statement => ({ about: 'clusters', text })),
    ...(placement?.spreadConstraints ?? []).map((spread): Statement => ({
      about: 'spread',
      text: spreadText(spread, t),
    })),
    { about: 'replicas', text: replicasText(placement, t) },
    ...(placement?.clusterTolerations ?? []).map((toleration): Statement => ({
      about: 'tolerations',
      text: tolerationText(toleration, t),
    })),
    ...workloadTexts(placement, t).map((text): Statement => ({ about: 'affinity', text })),
  ];
}

/** A placement in one line, for a list. */
export function placementText(placement: Placement | null, t: TFunction): string {
  const clusters = clusterTexts(placement, t).join('; ');
  return [clusters, replicasText(placement, t)].join(' · ');
}

function clusterTexts(placement: Placement | null, t: TFunction): string[] {
  const groups = placement?.clusterAffinities ?? [];
  if (groups.length === 0) return [affinityText(placement?.clusterAffinity ?? null, t)];
  return groups.map((group, index) =>
    t(index === 0 ? 'placementWords.first' : 'placementWords.then', {
      group: group.affinityName,
      clusters: [
        affinityText(group, t),
        ...group.overflowAffinities.map((overflow) =>
          t('placementWords.overflow', { clusters: affinityText(overflow, t) }),
        ),
      ].join(', '),
    }),
  );
}

type Affinity = AffinityFieldsFragment | Group | Group['overflowAffinities'][number];

/** Clusters: `hangzhou, tokyo`, `any cluster with gpu=true, except tokyo`. */
export function affinityText(affinity: Affinity | null, t: TFunction): string {
  const labels = affinity?.labelSelector ? labelText(affinity.labelSelector) : '';
  const fields = affinity ? fieldText(affinity) : '';
  const names = affinity?.clusterNames ?? [];
  const exclude = affinity?.exclude ?? [];
  const base = names.length > 0 ? names.join(', ') : t('placementWords.any');
  const asked = [labels, fields].filter(Boolean).join(',');
  return [
    asked ? t('placementWords.with', { base, asked }) : base,
    exclude.length > 0 ? t('placementWords.except', { names: exclude.join(', ') }) : '',
  ]
    .filter(Boolean)
    .join(', ');
}

export function replicasText(placement: Placement | null, t: TFunction): string {
  const scheduling = placement?.replicaScheduling;
  if (!scheduling || scheduling.type === 'DUPLICATED') return t('placementWords.duplicated');
  if (scheduling.divisionPreference === 'AGGREGATED') return t('placementWords.aggregated');
  const weights = scheduling.weightPreference;
  if (weights?.dynamicWeight) return t('placementWords.byRoom');
  if (!weights || weights.staticWeights.length === 0) return t('placementWords.evenly');
  const each = weights.staticWeights.map(
    ({ targetCluster, weight }) => `${affinityText(targetCluster, t)} ${weight}`,
  );
  return t('placementWords.byWeight', { weights: each.join('; ') });
}

function spreadText({ spreadByField, spreadByLabel, minGroups, maxGroups }: Spread, t: TFunction): string {
  const by = spreadByField ? t(`placementWords.by.${spreadByField}`) : (spreadByLabel ?? '');
  if (maxGroups === null) return t('placementWords.spreadAtLeast', { min: minGroups, by });
  if (maxGroups === minGroups) return t('placementWords.spreadOver', { min: minGroups, by });
  return t('placementWords.spreadFrom', { min: minGroups, max: maxGroups, by });
}

/** A taint as kubectl writes it: `dedicated=gpu:NoSchedule`. */
export function tolerationText(
  { key, operator, value, effect, tolerationSeconds }: Toleration,
  t: TFunction,
): string {
  const taint =
    key === null ? t('placementWords.anyTaint') : operator === 'EQUAL' ? `${key}=${value ?? ''}` : key;
  const whole = effect ? `${taint}:${EFFECTS[effect]}` : taint;
  return tolerationSeconds === null
    ? whole
    : t('placementWords.forSeconds', { taint: whole, n: tolerationSeconds });
}

const EFFECTS = {
  NO_SCHEDULE: 'NoSchedule',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
  NO_EXECUTE: 'NoExecute',
} as const;

function workloadTexts(placement: Placement | null, t: TFunction): string[] {
  const with_ = placement?.workloadAffinity?.affinity;
  const apart = placement?.workloadAffinity?.antiAffinity;
  return [
    with_ ? t('placementWords.together', { label: with_.groupByLabelKey }) : '',
    apart ? t('placementWords.apart', { label: apart.groupByLabelKey }) : '',
  ].filter(Boolean);
}
