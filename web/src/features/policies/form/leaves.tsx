import { Checkbox, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useField, useFormView } from './context';
import type { Path } from './document';
import { isJson, jsonOf, numberOf, saysJson, set, setJson, setWords } from './document';
import { FieldFrame, Wrong } from './FieldFrame';
import type { Field } from './shape';
import type { en } from './texts/en';

export interface FieldProps {
  field: Field;
  path: Path;
}

export function TextLeaf({ field, path }: FieldProps) {
  const { value, said, policy } = useField(path);
  const { named } = useFormView();
  return (
    <FieldFrame field={field} wrong={said}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          spellCheck={false}
          disabled={named && path[0] === 'metadata'}
          value={textOf(value)}
          onChange={({ target }) =>
            policy.change((document) => set(document, path, target.value || undefined))
          }
        />
      )}
    </FieldFrame>
  );
}

/** The browser's own number field clamps and rounds what is typed before anybody sees. */
export function NumberLeaf({ field, path }: FieldProps) {
  const { t } = useTranslation();
  const { value, said, policy } = useField(path);
  const typed = textOf(value);
  const wrong = typeof numberOf(typed) === 'string' ? [t('policyForm.noNumber', { typed })] : [];
  return (
    <FieldFrame field={field} wrong={[...wrong, ...said]}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          inputMode="numeric"
          value={typed}
          onChange={({ target }) => policy.change((document) => set(document, path, numberOf(target.value)))}
        />
      )}
    </FieldFrame>
  );
}

/** Not set is as good as false. */
export function FlagLeaf({ field, path }: FieldProps) {
  const { t } = useTranslation();
  const { value, said, policy } = useField(path);
  return (
    <div className="pf-field is-flag">
      <Checkbox
        checked={value === true}
        onChange={({ target }) =>
          policy.change((document) => set(document, path, target.checked ? true : undefined))
        }
      >
        {t(`policyForm.field.${field.label}`)}
      </Checkbox>
      <Wrong said={said} />
    </div>
  );
}

type Explained = keyof typeof en.policyForm.option;

export function ChoiceLeaf({ field, path, options }: FieldProps & { options: readonly string[] }) {
  const { t } = useTranslation();
  const { value, said, policy } = useField(path);
  const current = textOf(value);
  const all = current === '' || options.includes(current) ? options : [...options, current];
  const explain = (option: string) => t(`policyForm.option.${option as Explained}`, { defaultValue: option });
  return (
    <FieldFrame field={field} wrong={said}>
      {(control) => (
        <Select<string>
          {...control}
          allowClear
          placeholder={t('policyForm.default')}
          value={current || undefined}
          options={all.map((option) => ({ value: option, label: explain(option) }))}
          onChange={(chosen?: string) => policy.change((document) => set(document, path, chosen))}
        />
      )}
    </FieldFrame>
  );
}

export function WordsLeaf({ field, path, suggest }: FieldProps & { suggest?: 'clusters' }) {
  const { value, said, policy } = useField(path);
  const { clusters } = useFormView();
  const words = listOf(value);
  return (
    <FieldFrame field={field} wrong={said} wide>
      {(control) => (
        <Select<string[]>
          {...control}
          mode="tags"
          allowClear
          tokenSeparators={[',', ' ']}
          value={words}
          options={suggest && clusters.map((name) => ({ value: name, label: name }))}
          {...(suggest ? {} : { open: false, suffix: null })}
          onChange={(words) => policy.change((document) => setWords(document, path, words))}
        />
      )}
    </FieldFrame>
  );
}

/** A value of any kind, as JSON text. What is no JSON yet stays as it is typed, beside the object. */
export function JsonLeaf({ field, path }: FieldProps) {
  const { t } = useTranslation();
  const { value, said, drafted, policy } = useField(path);
  const typed = typeof drafted?.typed === 'string' ? drafted.typed : null;
  const holds =
    typed !== null && (drafted?.open || (typed === '' ? value === undefined : saysJson(typed, value)));
  const shown = holds ? typed : value === undefined ? '' : jsonOf(value);
  const type = (typed: string) => {
    const fits = typed === '' || isJson(typed);
    policy.draft(path, { typed, open: !fits });
    if (!fits) return;
    policy.change((document) =>
      typed === '' ? set(document, path, undefined) : setJson(document, path, typed),
    );
  };
  return (
    <FieldFrame field={field} wrong={holds && drafted?.open ? [t('policyForm.noJson'), ...said] : said} wide>
      {(control) => (
        <Input.TextArea
          {...control}
          className="mono"
          autoComplete="off"
          spellCheck={false}
          rows={Math.min(shown.split('\n').length, 8)}
          value={shown}
          onChange={({ target }) => type(target.value)}
        />
      )}
    </FieldFrame>
  );
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : jsonOf(value);
}

export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}
