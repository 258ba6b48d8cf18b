import { Checkbox, Form } from 'antd';
import type { ReactNode } from 'react';

interface ChecksFieldProps {
  /** Its name in the form, which is that of the mutation's input field. */
  name: string;
  label: string;
  hint?: ReactNode;
  options: readonly { value: string; label: ReactNode }[];
  /** Said when nothing is chosen; left out where that is allowed. */
  required?: string;
}

/** Several of a few: a box for each. */
export function ChecksField({ name, label, hint, options, required }: ChecksFieldProps) {
  return (
    <Form.Item
      name={name}
      label={label}
      extra={hint}
      // Not `required`: that would be said of the group, which has no such attribute.
      rules={
        required === undefined
          ? undefined
          : [{ validator: (_, chosen?: string[]) => verdict(chosen?.length ? null : required) }]
      }
    >
      <Checkbox.Group className="checks" options={[...options]} />
    </Form.Item>
  );
}

/** Yes or no, in a sentence. */
export function CheckField({ name, label, hint }: Pick<ChecksFieldProps, 'name' | 'label' | 'hint'>) {
  return (
    <Form.Item name={name} valuePropName="checked" extra={hint}>
      <Checkbox>{label}</Checkbox>
    </Form.Item>
  );
}

function verdict(wrong: string | null): Promise<void> {
  return wrong === null ? Promise.resolve() : Promise.reject(new Error(wrong));
}
