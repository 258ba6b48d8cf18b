import { useId } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Field } from './shape';

/** What a control needs to be known by its label, its hint and what is wrong with it. */
export interface ControlProps {
  id: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
  status: 'error' | undefined;
}

interface FieldFrameProps {
  field: Pick<Field, 'label' | 'hint'>;
  /** What is wrong with what stands there. */
  wrong: readonly string[];
  wide?: boolean;
  children: (control: ControlProps) => ReactNode;
}

/** A field of the form: its label, its control, its hint and what is wrong with it. */
export function FieldFrame({ field: { label, hint }, wrong, wide, children }: FieldFrameProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={wide ? 'pf-field is-wide' : 'pf-field'}>
      <label htmlFor={id}>{t(`policyForm.field.${label}`)}</label>
      {children({
        id,
        'aria-describedby': `${id}-says`,
        'aria-invalid': wrong.length > 0,
        status: wrong.length > 0 ? 'error' : undefined,
      })}
      <div id={`${id}-says`} className="small">
        {hint && <p className="muted">{t(`policyForm.hint.${hint}`)}</p>}
        <Wrong said={wrong} />
      </div>
    </div>
  );
}

/** Is read aloud as it comes. */
export function Wrong({ said }: { said: readonly string[] }) {
  return (
    <div role="alert" className="small">
      {said.map((words) => (
        <p key={words} className="wrong wrap">
          {words}
        </p>
      ))}
    </div>
  );
}
