import { useTranslation } from 'react-i18next';
import { TextField } from './Field';

/** The name of what is to be taken away, typed once more: only then can the form be sent. */
export function NameTyped({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <TextField
      name="name"
      label={t('form.typeName', { name })}
      check={(typed) => (typed === name ? null : t('form.notTheName', { typed, name }))}
    />
  );
}
