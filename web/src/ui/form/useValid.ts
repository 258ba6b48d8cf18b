import type { FormInstance } from 'antd';
import { Form } from 'antd';
import { useEffect, useState } from 'react';

/** Whether a form could be sent as it stands; it shows nothing. */
export function useValid(form: FormInstance): boolean {
  const values: unknown = Form.useWatch([], form);
  const [valid, setValid] = useState(false);
  useEffect(() => {
    let past = false;
    const settle = (verdict: boolean) => {
      if (!past) setValid(verdict);
    };
    form.validateFields({ validateOnly: true }).then(
      () => settle(true),
      () => settle(false),
    );
    return () => {
      past = true;
    };
  }, [form, values]);
  return valid;
}
