import { Alert, Button, Form } from 'antd';
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../Dialog';
import type { FieldPaths } from '../form/errors';
import { clearErrors, showRefusals } from '../form/errors';
import { useValid } from '../form/useValid';
import type { Refusal } from './refusals';
import { refusalText } from './refusals';
import type { Action, Payload } from './useAction';
import { useAction } from './useAction';

interface ActionDialogProps<Values extends object, Data, Input, Result extends Payload> {
  open: boolean;
  close: () => void;
  title: ReactNode;
  /** Names the form, and begins the ids of its fields. */
  name: string;
  action: Action<Data, Input, Result>;
  initial: Values;
  /** What is sent for what was filled in; null is not sent. */
  input: (values: Values) => Input | null;
  submit: string;
  /** It takes something away, for good. */
  danger?: boolean;
  /** It cannot be sent as things stand, whatever the fields say. */
  blocked?: boolean;
  /** Is told what the server answered, once it is done. */
  onDone?: (result: Result, values: Values) => void;
  /** Which field shows a refusal, where the server names it otherwise. */
  paths?: FieldPaths;
  /** What it is about, above the fields. */
  lead?: ReactNode;
  /** What will happen, above the fields and below the lead. */
  before?: ReactNode;
  /** The fields. */
  children: ReactNode;
  /** What stands in the form's place once it is done; without it the dialog closes. */
  result?: (result: Result, values: Values) => ReactNode;
  footer?: ReactNode;
  /** Asks the server what it would say, and changes nothing. */
  rehearsal?: { label: string; input: (values: Values) => Input | null; passed: string };
}

/** A dialog that runs a mutation: fields, what is wrong with them, and what became of it. */
export function ActionDialog<Values extends object, Data, Input, Result extends Payload>({
  open,
  title,
  ...content
}: ActionDialogProps<Values, Data, Input, Result>) {
  return (
    <Dialog open={open} close={content.close} title={title}>
      <Content {...content} />
    </Dialog>
  );
}

type ContentProps<Values extends object, Data, Input, Result extends Payload> = Omit<
  ActionDialogProps<Values, Data, Input, Result>,
  'open' | 'title'
>;

function Content<Values extends object, Data, Input, Result extends Payload>({
  result: show,
  onDone,
  footer,
  ...form
}: ContentProps<Values, Data, Input, Result>) {
  const [shown, setShown] = useState<ReactNode>(null);
  const done = (result: Result, values: Values) => {
    if (show) setShown(show(result, values));
    else form.close();
    onDone?.(result, values);
  };
  return (
    <>
      {shown ?? <ActionForm {...form} done={done} />}
      {footer}
    </>
  );
}

interface ActionFormProps<Values extends object, Data, Input, Result extends Payload> extends Omit<
  ContentProps<Values, Data, Input, Result>,
  'result' | 'footer' | 'onDone'
> {
  done: (result: Result, values: Values) => void;
}

/** The fields of a mutation, in a dialog or on a page: what is wrong with them, and what the server says against it. */
export function ActionForm<Values extends object, Data, Input, Result extends Payload>({
  name,
  action,
  initial,
  input,
  submit,
  danger = false,
  blocked = false,
  paths,
  lead,
  before,
  children,
  close,
  done,
  rehearsal,
}: ActionFormProps<Values, Data, Input, Result>) {
  const { t } = useTranslation();
  const [form] = Form.useForm<Values>();
  const valid = useValid(form);
  const { run, rehearse, pending } = useAction(action, { showsRefusals: true });
  const [refusals, setRefusals] = useState<Refusal[]>([]);
  const [passed, setPassed] = useState(false);
  const place = useRef<HTMLDivElement>(null);

  // The dialog gives the focus to its first button: what is to be filled in comes first.
  useEffect(() => place.current?.querySelector<HTMLElement>('input, textarea')?.focus(), []);

  const ask = async (wanted: Input | null, by: typeof run): Promise<Result | null> => {
    if (pending || wanted === null) return null;
    setRefusals([]);
    setPassed(false);
    clearErrors(form);
    const outcome = await by(wanted);
    if (outcome.done) return outcome.result;
    setRefusals(showRefusals(form, outcome.refusals, paths));
    return null;
  };
  const send = async (values: Values) => {
    const result = await ask(input(values), run);
    if (result) done(result, values);
  };
  const tryIt = async () => {
    if (rehearsal && (await ask(rehearsal.input(form.getFieldsValue()), rehearse))) setPassed(true);
  };

  return (
    <div ref={place}>
      <Form<Values>
        form={form}
        name={name}
        className={`action ${name}`}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={(values) => void send(values)}
        // A look at whether it is valid came between: what was pressed is not lost for that.
        onFinishFailed={({ outOfDate }) => outOfDate && form.submit()}
        onValuesChange={(changed: object) => {
          setRefusals([]);
          setPassed(false);
          clearErrors(form, Object.keys(changed));
        }}
        aria-busy={pending}
      >
        {lead && <p className="muted">{lead}</p>}
        {before}
        {children}
        <div role="alert">
          {refusals.map(refusalText).map((text) => (
            <Alert key={text} type="error" showIcon title={action.failed} description={text} />
          ))}
        </div>
        {rehearsal && (
          <div role="status">{passed && <Alert type="success" showIcon title={rehearsal.passed} />}</div>
        )}
        <div className="action-buttons">
          <Button onClick={close}>{t('action.cancel')}</Button>
          {rehearsal && (
            <Button disabled={!valid || pending} onClick={() => void tryIt()}>
              {rehearsal.label}
            </Button>
          )}
          <Button
            type="primary"
            danger={danger}
            htmlType="submit"
            disabled={!valid || blocked}
            loading={pending}
          >
            {submit}
          </Button>
        </div>
      </Form>
    </div>
  );
}
