import { Button, Form, Input, Select } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldName } from './Field';

interface PairsFieldProps {
  /** Its name in the form: a list of rows with `key` and `value`. */
  name: FieldName;
  label: string;
  hint?: ReactNode;
  /** What is wrong with a key as it is typed, seen beside all rows; null when nothing is. */
  checkKey: (typed: string, rows: readonly PairRow[], index: number) => string | null;
  checkValue: (typed: string) => string | null;
  /** A third column, of few words to choose from. */
  choice?: { name: string; label: string; options: readonly { value: string; label: string }[] };
  add: string;
  /** What a new row holds. */
  fresh?: Record<string, string>;
}

export interface PairRow {
  key?: string;
  value?: string;
  [other: string]: string | undefined;
}

/** Labels, taints and the like: rows of a key and a value, which come and go. */
export function PairsField(props: PairsFieldProps) {
  const { name, label, hint, checkKey, checkValue, choice, add, fresh } = props;
  const { t } = useTranslation();
  const form = Form.useFormInstance();
  const rowsOf = () => (form.getFieldValue(name) ?? []) as PairRow[];
  return (
    <fieldset className="pairs-field">
      <legend>{label}</legend>
      {hint && <p className="muted small">{hint}</p>}
      <Form.List name={name}>
        {(fields, { add: append, remove }, { errors }) => (
          <>
            {fields.map(({ key, name: index }) => (
              <div key={key} className={choice ? 'pair-row has-choice' : 'pair-row'}>
                <Form.Item
                  name={[index, 'key']}
                  rules={[
                    { validator: (_, typed?: string) => verdict(checkKey(typed ?? '', rowsOf(), index)) },
                  ]}
                >
                  <Input
                    aria-label={t('form.keyOf', { label, row: index + 1 })}
                    placeholder={t('form.key')}
                    autoComplete="off"
                    spellCheck={false}
                  />
                </Form.Item>
                <Form.Item
                  name={[index, 'value']}
                  rules={[{ validator: (_, typed?: string) => verdict(checkValue(typed ?? '')) }]}
                >
                  <Input
                    aria-label={t('form.valueOf', { label, row: index + 1 })}
                    placeholder={t('form.value')}
                    autoComplete="off"
                    spellCheck={false}
                  />
                </Form.Item>
                {choice && (
                  <Form.Item name={[index, choice.name]}>
                    <Select aria-label={`${choice.label} ${index + 1}`} options={[...choice.options]} />
                  </Form.Item>
                )}
                <Button
                  type="text"
                  aria-label={t('form.remove', { label, row: index + 1 })}
                  onClick={() => remove(index)}
                >
                  ✕
                </Button>
              </div>
            ))}
            <Button size="small" onClick={() => append({ key: '', value: '', ...fresh })}>
              {add}
            </Button>
            {/* What the server says against the rows as a whole. */}
            <Form.ErrorList errors={errors} />
          </>
        )}
      </Form.List>
    </fieldset>
  );
}

function verdict(wrong: string | null): Promise<void> {
  return wrong === null ? Promise.resolve() : Promise.reject(new Error(wrong));
}
