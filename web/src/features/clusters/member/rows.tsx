import { useTranslation } from 'react-i18next';
import type { TaintEffect } from '../../../graph/generated/graphql';
import type { PairRow } from '../../../ui/form/PairsField';
import { PairsField } from '../../../ui/form/PairsField';
import { isLabelKey, isLabelValue } from '../../../ui/typed';
import { effectName } from './health';

/** Those that Karmada takes: it refuses PreferNoSchedule on a cluster. */
const EFFECTS: readonly TaintEffect[] = ['NO_SCHEDULE', 'NO_EXECUTE'];

/** The labels of something, in a form's field `labels`. */
export function LabelRows() {
  const { t } = useTranslation();
  const checkKey = (typed: string, rows: readonly PairRow[]) => {
    if (!isLabelKey(typed)) return t('member.notALabelKey', { typed });
    return rows.filter(({ key }) => key === typed).length > 1 ? t('member.twice', { typed }) : null;
  };
  return (
    <PairsField
      name="labels"
      label={t('member.labels')}
      checkKey={checkKey}
      checkValue={(typed) => (isLabelValue(typed) ? null : t('member.notALabelValue', { typed }))}
      add={t('member.addLabel')}
    />
  );
}

/** The taints of a cluster, in a form's field `taints`. */
export function TaintRows() {
  const { t } = useTranslation();
  const checkKey = (typed: string, rows: readonly PairRow[], index: number) => {
    if (!isLabelKey(typed)) return t('member.notALabelKey', { typed });
    const effect = rows[index]?.effect;
    const same = rows.filter((row) => row.key === typed && row.effect === effect);
    return same.length > 1 ? t('member.twice', { typed }) : null;
  };
  return (
    <PairsField
      name="taints"
      label={t('clusters.taints')}
      checkKey={checkKey}
      checkValue={(typed) => (isLabelValue(typed) ? null : t('member.notALabelValue', { typed }))}
      choice={{
        name: 'effect',
        label: t('member.effect'),
        options: EFFECTS.map((value) => ({ value, label: effectName(value) })),
      }}
      add={t('member.addTaint')}
      fresh={{ effect: 'NO_SCHEDULE' }}
    />
  );
}
