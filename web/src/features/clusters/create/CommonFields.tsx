import { useTranslation } from 'react-i18next';
import { AreaField, TextField } from '../../../ui/form/Field';
import { atMost } from '../control/Edit';
import { LabelRows } from '../member/rows';
import { isInstanceName, LONGEST_INSTANCE } from './input';

export function NameField() {
  const { t } = useTranslation();
  return (
    <TextField
      name="name"
      label={t('make.name')}
      hint={t('make.nameHint')}
      check={(typed) =>
        isInstanceName(typed) ? null : t('make.notAName', { typed, most: LONGEST_INSTANCE })
      }
    />
  );
}

export function DisplayNameField() {
  const { t } = useTranslation();
  return <TextField name="displayName" label={t('control.displayName')} check={atMost(128, t)} />;
}

export function MoreFields() {
  const { t } = useTranslation();
  return (
    <details className="more-fields">
      <summary>{t('make.labels')}</summary>
      <div className="action">
        <AreaField name="description" label={t('control.description')} rows={3} check={atMost(1024, t)} />
        <LabelRows />
      </div>
    </details>
  );
}
