import { useTranslation } from 'react-i18next';
import type { FieldName } from '../../../ui/form/Field';
import { TextField } from '../../../ui/form/Field';
import { isWhole } from './checks';

interface WholeProps {
  name: FieldName;
  label: string;
  hint?: string;
}

/** A whole number, or nothing. */
export function Whole(field: WholeProps) {
  const { t } = useTranslation();
  return (
    <TextField
      numeric
      check={(typed) => (typed === '' || isWhole(typed) ? null : t('compose.notWhole', { typed }))}
      {...field}
    />
  );
}
