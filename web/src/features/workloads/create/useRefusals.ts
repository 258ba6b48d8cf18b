import type { FormInstance } from 'antd';
import { useState } from 'react';
import type { Refusal } from '../../../ui/action/refusals';
import { showRefusals } from '../../../ui/form/errors';

/** What was said against a form: at its fields, and what no field shows. It is taken back once the form is another. */
export function useRefusals(form: FormInstance) {
  const [left, setLeft] = useState<readonly Refusal[]>([]);
  const [fields, setFields] = useState<readonly (string | number)[][]>([]);
  const takeBack = () => {
    if (fields.length > 0) form.setFields(fields.map((name) => ({ name: [...name], errors: [] })));
    setFields([]);
    setLeft([]);
  };
  const tell = (refusals: readonly Refusal[]) => {
    takeBack();
    const before = new Set(errorsIn(form).map((name) => name.join('.')));
    setLeft(showRefusals(form, refusals, {}, 'wide'));
    setFields(errorsIn(form).filter((name) => !before.has(name.join('.'))));
  };
  return { left, tell, takeBack };
}

function errorsIn(form: FormInstance): (string | number)[][] {
  return form
    .getFieldsError()
    .filter(({ errors }) => errors.length > 0)
    .map(({ name }) => name);
}
