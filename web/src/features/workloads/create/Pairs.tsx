import { useTranslation } from 'react-i18next';
import type { FieldName } from '../../../ui/form/Field';
import { PairsField } from '../../../ui/form/PairsField';
import { isLabelKey, isLabelValue } from '../../../ui/typed';
import { isQuantity, isResourceName } from './checks';

interface PairsProps {
  name: FieldName;
  label: string;
  hint?: string;
  add: string;
}

interface LabelsProps extends PairsProps {
  /** Annotations have values of any text. */
  annotations?: boolean;
}

/** Labels or annotations. */
export function Labels({ annotations = false, ...field }: LabelsProps) {
  const { t } = useTranslation();
  return (
    <PairsField
      {...field}
      checkKey={(typed, rows, index) => {
        if (!isLabelKey(typed)) return t('compose.notAKey', { typed });
        return rows.some(({ key }, at) => at < index && key === typed) ? t('compose.twice', { typed }) : null;
      }}
      checkValue={(typed) => (annotations || isLabelValue(typed) ? null : t('compose.notAValue', { typed }))}
    />
  );
}

/** How much of what: `cpu`, `250m`. */
export function Quantities(field: PairsProps) {
  const { t } = useTranslation();
  return (
    <PairsField
      {...field}
      checkKey={(typed, rows, index) => {
        if (!isResourceName(typed)) return t('compose.notAResource', { typed });
        return rows.some(({ key }, at) => at < index && key === typed) ? t('compose.twice', { typed }) : null;
      }}
      checkValue={(typed) => (isQuantity(typed) ? null : t('compose.notAQuantity', { typed }))}
    />
  );
}
