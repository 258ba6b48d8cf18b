import { AutoComplete, Checkbox, Form, Input, Select } from 'antd';
import type { ReactNode } from 'react';

interface FieldProps {
  /** Its name in the form, which is that of the mutation's input field. */
  name: string;
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

/** A long text, such as a kubeconfig: it is sent as it stands. */
export function AreaField({ rows = 8, ...field }: CheckedProps & { rows?: number }) {
  return (
    <Field {...field}>
      <Input.TextArea className="mono" autoComplete="off" spellCheck={false} rows={rows} />
    </Field>
  );
}

/** Something that is wanted or not. */
export function CheckField({ name, label, hint }: FieldProps) {
  return (
    <Form.Item name={name} valuePropName="checked" extra={hint}>
      <Checkbox>{label}</Checkbox>
    </Form.Item>
  );
}
