import { Alert, Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { shortName } from '../../../app/viewer';
import type { OperationFieldsFragment } from '../../../graph/generated/graphql';
import { CancelOperationDocument } from '../../../graph/generated/graphql';
import { useAction } from '../../../ui/action/useAction';
import { Age } from '../../../ui/Age';
import { Blank, Failed, Problems } from '../../../ui/Notices';
import { StateBadge, ToneIcon } from '../../../ui/tone';
import { toneOfStep } from '../status';
import { en } from '../texts/late.en';
import { hasEnded, ownMessage, shownSteps, subjectOf, toneOfOperation } from './steps';
import type { OperationView } from './useOperation';

interface OperationProps {
  view: OperationView;
  /** What one can do next; shown once it has ended. */
  children?: (operation: OperationFieldsFragment) => ReactNode;
}

/** How far a long change is, as it goes on, and how it ended. */
export function Operation({ view: { operation, problems, retry }, children }: OperationProps) {
  const { t } = useTranslation();
  if (!operation) {
    if (problems.length === 0) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
    if (problems.some(({ code }) => code === 'NOT_FOUND'))
      return <Blank title={t('operation.notFound')} hint={t('operation.notFoundHint')} />;
    return <Failed problems={problems} retry={retry} />;
  }
  return (
    <>
      <Problems problems={problems} retry={retry} />
      <OperationCard operation={operation} />
      {hasEnded(operation.state) && children && <div className="operation-next">{children(operation)}</div>}
    </>
  );
}

export function OperationCard({ operation }: { operation: OperationFieldsFragment }) {
  const { t } = useTranslation();
  const { kind, state, actor, createdAt, finishedAt } = operation;
  const message = ownMessage(operation);
  const title = t(`operation.kind.${kind}`, subjectOf(operation));
  return (
    <section className="operation card" aria-label={title} data-operation={kind} data-state={state}>
      <header className="operation-head">
        <h2>{title}</h2>
        <span role="status">
          <StateBadge tone={toneOfOperation(state)}>{t(`operation.state.${state}`)}</StateBadge>
        </span>
        <span className="muted small" title={actor}>
          {t('operation.by', { actor: shortName(actor) })} · <Age since={finishedAt ?? createdAt} />
        </span>
        <span className="page-gap" />
        <Cancel operation={operation} />
      </header>
      {message && (
        <Alert type={MESSAGE_TYPES[state]} showIcon title={<span className="wrap">{message}</span>} />
      )}
      <Steps operation={operation} label={t('operation.steps', { title })} />
    </section>
  );
}

const MESSAGE_TYPES = {
  PENDING: 'info',
  RUNNING: 'info',
  SUCCEEDED: 'success',
  FAILED: 'error',
  CANCELLED: 'warning',
} as const;

function Steps({ operation, label }: { operation: OperationFieldsFragment; label: string }) {
  const { t } = useTranslation();
  return (
    <ol className="steps" aria-label={label}>
      {shownSteps(operation.steps).map(({ name, within, step: { state, message, startedAt, endedAt } }) => (
        <li
          key={within ? `${within}: ${name}` : name}
          className={`tone-${toneOfStep(state)}${within ? ' is-within' : ''}`}
          data-step={name}
          data-state={state}
        >
          <ToneIcon tone={toneOfStep(state)} />
          <span className="step-name">{isStep(name) ? t(`operation.step.${name}`) : name}</span>
          <span className="step-state">{t(`step.${state}`)}</span>
          {message && <span className="muted wrap">{message}</span>}
          {(endedAt ?? startedAt) && (
            <span className="muted small">
              <Age since={endedAt ?? startedAt} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** What a newer server does has a name too, only not in every language. */
function isStep(name: string): name is keyof (typeof en)['operation']['step'] {
  return Object.hasOwn(en.operation.step, name);
}

function Cancel({ operation }: { operation: OperationFieldsFragment }) {
  const { t } = useTranslation();
  const { run, pending } = useAction({
    document: CancelOperationDocument,
    payload: (data) => data.cancelOperation,
    failed: t('operation.cancelFailed'),
  });
  if (hasEnded(operation.state)) return null;
  if (operation.cancelRequested) return <span className="muted small">{t('operation.cancelling')}</span>;
  if (!operation.cancellable) return null;
  const { id, uid } = operation;
  return (
    <Button size="small" danger loading={pending} onClick={() => void run({ id, uid })}>
      {t('operation.cancel')}
    </Button>
  );
}
