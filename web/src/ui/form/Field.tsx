import { AutoComplete, Checkbox, Form, Input, Radio, Select } from 'antd';
import type { ReactNode } from 'react';

/** Where a field stands in what is sent: its name, or the path to it. */
export type FieldName = string | (string | number)[];

interface FieldProps {
  /** Its name in the form, which is that of the mutation's input field. */
  name: FieldName;
  label: string;
  hint?: ReactNode;
}

interface CheckedProps extends FieldProps {
  /** What is wrong with a text as it is typed; null when nothing is. */
  check?: (typed: string) => string | null;
}

/** A field of a form: its label, what is wrong with it, and what the server said against it. */
function Field({ name, label, hint, check, children }: CheckedProps & { children: ReactNode }) {
  return (
    <Form.Item
      name={name}
      label={label}
      extra={hint}
      rules={check && [{ validator: (_, typed?: string) => verdict(check(typed ?? '')) }]}
    >
      {children}
    </Form.Item>
  );
}

function verdict(wrong: string | null): Promise<void> {
  return wrong === null ? Promise.resolve() : Promise.reject(new Error(wrong));
}

/** A text, also of a number: the browser's own number field clamps and rounds it before anybody sees. */
export function TextField({ numeric, ...field }: CheckedProps & { numeric?: boolean }) {
  return (
    <Field {...field}>
      <Input autoComplete="off" spellCheck={false} inputMode={numeric ? 'numeric' : undefined} />
    </Field>
  );
}

interface ChoiceProps<Value> extends FieldProps {
  options: readonly { value: Value; label: string }[];
}

export function SelectField<Value extends string | number>({ options, ...field }: ChoiceProps<Value>) {
  return (
    <Field {...field}>
      <Select<Value> options={[...options]} />
    </Field>
  );
}

interface SuggestProps extends CheckedProps {
  suggestions: readonly string[];
  placeholder?: string;
}

/** A text, with some that are likely. */
export function SuggestField({ suggestions, placeholder, ...field }: SuggestProps) {
  return (
    <Field {...field}>
      <AutoComplete allowClear placeholder={placeholder} options={suggestions.map((value) => ({ value }))} />
    </Field>
  );
}

interface AreaProps extends CheckedProps {
  rows?: number;
  /** How the button is called that takes the text from a file; none without it. */
  file?: string;
}

/** A long text, such as a kubeconfig: it is sent as it stands. */
export function AreaField({ rows = 8, file, ...field }: AreaProps) {
  const { name, hint } = field;
  return (
    <Field {...field} hint={file ? <FromFile name={name} label={file} hint={hint} /> : hint}>
      <Input.TextArea className="mono" autoComplete="off" spellCheck={false} rows={rows} />
    </Field>
  );
}

function FromFile({ name, label, hint }: FieldProps) {
  const form = Form.useFormInstance();
  const take = async (file: File | undefined) => {
    if (!file) return;
    form.setFieldValue(name, await file.text());
    await form.validateFields([name]).catch(() => undefined);
  };
  return (
    <span className="from-file">
      <label className="file-button">
        {label}
        <input type="file" className="sr-only" onChange={({ target }) => void take(target.files?.[0])} />
      </label>
      {hint}
    </span>
  );
}

interface WordsProps extends CheckedProps {
  suggestions?: readonly string[];
  placeholder?: string;
}

/** Several words, each checked by itself: Enter, a comma or a space ends each. */
export function WordsField({ name, label, hint, suggestions, placeholder, check }: WordsProps) {
  return (
    <Form.Item
      name={name}
      label={label}
      extra={hint}
      rules={
        check && [
          {
            validator: (_, typed: string[] = []) =>
              verdict(typed.map(check).find((wrong) => wrong !== null) ?? null),
          },
        ]
      }
    >
      <Select<string[]>
        mode="tags"
        allowClear
        placeholder={placeholder}
        tokenSeparators={[',', ' ']}
        options={suggestions?.map((value) => ({ value, label: value }))}
        {...(suggestions ? {} : { open: false, suffix: null })}
      />
    </Form.Item>
  );
}

/** One of a few ways, each with what it means. */
export function RadioField<Value extends string>({ options, ...field }: RadioProps<Value>) {
  return (
    <Field {...field}>
      <Radio.Group className="radio-field">
        {options.map(({ value, label, hint }) => (
          <Radio key={value} value={value}>
            {label}
            {hint && <span className="muted small"> {hint}</span>}
          </Radio>
        ))}
      </Radio.Group>
    </Field>
  );
}

interface RadioProps<Value> extends FieldProps {
  options: readonly { value: Value; label: string; hint?: string }[];
}

/** Something that is wanted or not. */
export function CheckField({ name, label, hint }: FieldProps) {
  return (
    <Form.Item name={name} valuePropName="checked" extra={hint}>
      <Checkbox>{label}</Checkbox>
    </Form.Item>
  );
}
