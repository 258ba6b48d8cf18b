import { Button, Form } from 'antd';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refusalText } from '../../ui/action/refusals';
import type { Action, Payload } from '../../ui/action/useAction';
import { useAction } from '../../ui/action/useAction';
import { Dialog } from '../../ui/Dialog';
import { useValid } from '../../ui/form/useValid';
import { StateBadge } from '../../ui/tone';
import type { BulkOutcome, BulkOutcomes } from './bulk';
import { countsOf, runAll } from './bulk';
import './texts';

/** An object among several. */
export interface BulkRow {
  id: string;
  uid?: string | null;
  kind: string;
  namespace?: string | null;
  name: string;
  instance?: { name: string } | null;
}

interface BulkDialogProps<Values extends object, Data, Input, Result extends Payload> {
  rows: readonly BulkRow[];
  /** Those that were chosen too, and why they are not among `rows`. */
  leftOut?: readonly { row: BulkRow; why: string }[];
  close: () => void;
  title: string;
  name: string;
  action: Pick<Action<Data, Input, Result>, 'document' | 'payload' | 'failed'>;
  initial: Values;
  input: (row: BulkRow, values: Values) => Input;
  lead?: ReactNode;
  submit: string;
  danger?: boolean;
  /** What has become of one to which it was done. */
  done: string;
  /** What will happen, and the fields. */
  children?: ReactNode;
}

/** Does the same to several objects, one after the other, and says of each what became of it. */
export function BulkDialog<Values extends object, Data, Input, Result extends Payload>(
  props: BulkDialogProps<Values, Data, Input, Result>,
) {
  const { rows, leftOut, close, title, action, input, done } = props;
  const [outcomes, setOutcomes] = useState<BulkOutcomes | null>(null);
  const { run } = useAction<Data, Input, Result>(action, { showsRefusals: true });
  const start = (values: Values) =>
    void runAll(
      rows,
      async (row) => {
        const outcome = await run(input(row, values));
        return outcome.done
          ? { state: 'done' }
          : { state: 'refused', why: outcome.refusals.map(refusalText).join(' ') };
      },
      setOutcomes,
    );
  return (
    <Dialog open close={close} title={title}>
      {outcomes ? (
        <Outcomes rows={rows} outcomes={outcomes} done={done} close={close} />
      ) : (
        <Fields {...props} start={start} />
      )}
      {leftOut && leftOut.length > 0 && <LeftOut leftOut={leftOut} />}
    </Dialog>
  );
}

type FieldsProps<Values extends object> = Pick<
  BulkDialogProps<Values, never, never, Payload>,
  'rows' | 'close' | 'name' | 'initial' | 'lead' | 'submit' | 'danger' | 'children'
> & { start: (values: Values) => void };

function Fields<Values extends object>(props: FieldsProps<Values>) {
  const { rows, close, name, initial, lead, submit, danger, children, start } = props;
  const { t } = useTranslation();
  const [form] = Form.useForm<Values>();
  const valid = useValid(form);
  return (
    <Form<Values>
      form={form}
      name={name}
      className={`action ${name}`}
      layout="vertical"
      requiredMark={false}
      initialValues={initial}
      onFinish={start}
      onFinishFailed={({ outOfDate }) => outOfDate && form.submit()}
    >
      {lead && <p className="muted">{lead}</p>}
      {children}
      <div className="action-buttons">
        <Button onClick={close}>{t('action.cancel')}</Button>
        <Button type="primary" danger={danger} htmlType="submit" disabled={!valid || rows.length === 0}>
          {submit}
        </Button>
      </div>
    </Form>
  );
}

interface OutcomesProps {
  rows: readonly BulkRow[];
  outcomes: BulkOutcomes;
  done: string;
  close: () => void;
}

export function Outcomes({ rows, outcomes, done, close }: OutcomesProps) {
  const { t } = useTranslation();
  const counts = countsOf(outcomes);
  return (
    <>
      <p role="status" data-bulk-summary>
        {t('bulk.summary', { ...counts, total: rows.length })}
      </p>
      <ul className="outcomes" tabIndex={0} aria-label={t('bulk.outcomes')}>
        {rows.map((row) => (
          <OutcomeLine key={row.id} row={row} outcome={outcomes.get(row.id)} done={done} />
        ))}
      </ul>
      <div className="action-buttons">
        <Button type="primary" onClick={close}>
          {t('app.close')}
        </Button>
      </div>
    </>
  );
}

const TONES = { waiting: 'busy', done: 'ok', refused: 'bad' } as const;

function OutcomeLine(props: { row: BulkRow; outcome: BulkOutcome | undefined; done: string }) {
  const { row, outcome, done } = props;
  const { t } = useTranslation();
  const state = outcome?.state ?? 'waiting';
  return (
    <li className="wrap" data-outcome={state}>
      <StateBadge tone={TONES[state]}>{state === 'done' ? done : t(`bulk.outcome.${state}`)}</StateBadge>{' '}
      <RowName row={row} />
      {outcome?.state === 'refused' && <p className="wrong">{outcome.why}</p>}
    </li>
  );
}

function RowName({ row: { kind, namespace, name, instance } }: { row: BulkRow }) {
  return (
    <>
      <span className="kind">{kind}</span> {namespace ? `${namespace}/` : ''}
      {name} <span className="muted small">{instance?.name}</span>
    </>
  );
}

/** What was chosen and nothing is done to, with the reason. */
function LeftOut({ leftOut }: Required<Pick<BulkDialogProps<object, never, never, Payload>, 'leftOut'>>) {
  const { t } = useTranslation();
  return (
    <section data-left-out>
      <h3 className="dialog-part">{t('bulk.leftOut')}</h3>
      <ul className="outcomes" tabIndex={0} aria-label={t('bulk.leftOut')}>
        {leftOut.map(({ row, why }) => (
          <li key={row.id} className="wrap">
            <RowName row={row} /> <span className="muted small">{why}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
