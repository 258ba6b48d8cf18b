import type { TypedDocumentNode } from '@urql/core';
import { Alert } from 'antd';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import { ToneIcon } from '../tone';
import type { Refusal } from './refusals';
import { refusalsOf, refusalText } from './refusals';
import type { Payload } from './useAction';

interface DryRunProps<Data, Input extends object, Result extends Payload> {
  document: TypedDocumentNode<Data, { input: Input & { dryRun?: boolean } }>;
  payload: (data: Data) => Result | null | undefined;
  /** What would be sent. */
  input: Input;
  /** What else the answer says, below whether it was refused. */
  children?: (result: Result) => ReactNode;
  /** Is told whether it would be taken, and before that it is not known to be. Stable. */
  tell?: (accepted: boolean) => void;
}

interface Tried<Result> {
  refusals: Refusal[];
  result: Result | null;
}

/** Whether the API server would take a change: asked as the dialog opens, so that nobody has to try. */
export function DryRun<Data, Input extends object, Result extends Payload>({
  document,
  payload,
  input,
  children,
  tell,
}: DryRunProps<Data, Input, Result>) {
  const { t } = useTranslation();
  const [, execute] = useMutation(document);
  const [tried, setTried] = useState<Tried<Result> | null>(null);
  const wanted = JSON.stringify(input);
  useEffect(() => {
    let past = false;
    tell?.(false);
    void execute({ input: { ...(JSON.parse(wanted) as Input), dryRun: true } }).then(({ data, error }) => {
      if (past) return;
      const result = (data && payload(data)) ?? null;
      const refusals = refusalsOf(result?.userErrors, error, t);
      setTried({ refusals, result });
      tell?.(result !== null && refusals.length === 0);
    });
    return () => {
      past = true;
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- by what would be sent: the function is another one each time
  }, [execute, wanted, t, tell]);

  if (!tried) return <p className="muted">{t('action.trying')}</p>;
  if (tried.refusals.length === 0) {
    return (
      <>
        <p className="dry-run tone-ok" data-dry-run="accepted">
          <ToneIcon tone="ok" /> {t('action.accepted')}
        </p>
        {tried.result && children?.(tried.result)}
      </>
    );
  }
  return (
    <div data-dry-run="refused">
      {tried.refusals.map(refusalText).map((text) => (
        <Alert key={text} type="error" showIcon title={t('action.refused')} description={text} />
      ))}
      {tried.result && children?.(tried.result)}
    </div>
  );
}
