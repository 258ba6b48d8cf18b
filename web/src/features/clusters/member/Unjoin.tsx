import { useNavigate } from '@tanstack/react-router';
import { Alert, Form, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import type { ClusterDetailFragment, UnjoinClusterMutation } from '../../../graph/generated/graphql';
import { UnjoinClusterDocument } from '../../../graph/generated/graphql';
import { ActionDialog } from '../../../ui/action/ActionDialog';
import { pathOf, refusalsOf, refusalText } from '../../../ui/action/refusals';
import { CheckField } from '../../../ui/form/Field';
import { NameTyped } from '../../../ui/form/NameTyped';

interface UnjoinProps {
  cluster: ClusterDetailFragment;
  open: boolean;
  close: () => void;
}

/** Removes a cluster from its instance: what runs there is said first, and its name is typed. */
export function UnjoinDialog({ open, ...props }: UnjoinProps) {
  return open && <Opened {...props} />;
}

function Opened({ cluster, close }: Omit<UnjoinProps, 'open'>) {
  const { t } = useTranslation();
  const [blocked, setBlocked] = useState(true);
  const navigate = useNavigate();
  const { id, uid, name } = cluster;
  return (
    <ActionDialog
      open
      close={close}
      title={t('unjoin.title', { name })}
      name="unjoin"
      action={{
        document: UnjoinClusterDocument,
        payload: (data) => data.unjoinCluster,
        failed: t('unjoin.failed'),
      }}
      initial={{ name: '', force: false }}
      input={({ force }) => ({ id, uid, force })}
      submit={t('unjoin.submit')}
      danger
      blocked={blocked}
      lead={t('unjoin.lead')}
      onDone={({ operation }) =>
        void navigate({
          from: '/clusters/$instance/$cluster',
          to: '.',
          search: { operation: operation?.id },
        })
      }
    >
      <Foreseen cluster={cluster} setBlocked={setBlocked} />
      <NameTyped name={name} />
    </ActionDialog>
  );
}

type Placed = NonNullable<NonNullable<UnjoinClusterMutation['unjoinCluster']>['placed']>;

interface ForeseenProps {
  cluster: ClusterDetailFragment;
  setBlocked: (blocked: boolean) => void;
}

/** What the removal would be about, as a dry run says it. */
function Foreseen({ cluster, setBlocked }: ForeseenProps) {
  const { t } = useTranslation();
  const { id, uid, state } = cluster;
  const force = Form.useWatch<boolean | undefined>('force') ?? false;
  const [{ data, error, fetching }, ask] = useMutation(UnjoinClusterDocument);
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    void ask({ input: { id, uid, force, dryRun: true } }).then(() => setAsked(true));
  }, [ask, id, uid, force, state]);

  const answer = data?.unjoinCluster;
  const refusals = refusalsOf(answer?.userErrors, error, t);
  const away = refusals.some((refusal) => pathOf(refusal) === 'force');
  const stands = refusals.length > 0;
  useEffect(() => setBlocked(!asked || stands), [setBlocked, asked, stands]);
  if (!asked || (fetching && !answer)) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  return (
    <div className="foreseen" aria-busy={fetching} data-foreseen={answer?.placed?.total ?? ''}>
      {answer?.placed && <PlacedObjects placed={answer.placed} force={force} />}
      {refusals
        .filter((refusal) => pathOf(refusal) !== 'force')
        .map(refusalText)
        .map((text) => (
          <Alert key={text} type="error" showIcon title={text} />
        ))}
      {(away || force) && (
        <>
          <Alert type="warning" showIcon title={t('unjoin.away', { name: cluster.name })} />
          <CheckField name="force" label={t('unjoin.force')} hint={t('unjoin.forceHint')} />
        </>
      )}
    </div>
  );
}

export function PlacedObjects({ placed, force }: { placed: Placed; force: boolean }) {
  const { t } = useTranslation();
  const { total, others, more, kinds, objects } = placed;
  if (total === 0) {
    return (
      <Alert
        type="success"
        showIcon
        title={t('unjoin.nothing')}
        description={others > 0 && t('unjoin.others', { count: others })}
      />
    );
  }
  return (
    <Alert
      type="warning"
      showIcon
      title={t(more ? 'unjoin.placedMore' : 'unjoin.placed', { count: total })}
      description={
        <>
          <p>{t(force ? 'unjoin.stays' : 'unjoin.moves')}</p>
          <ul className="placed-kinds">
            {kinds.map(({ kind, count }) => (
              <li key={kind} data-placed-kind={kind}>
                <strong className="number">{count}</strong> {kind}
              </li>
            ))}
          </ul>
          <details>
            <summary>{t('unjoin.which', { count: objects.length })}</summary>
            <ul
              className="placed-objects"
              tabIndex={0}
              aria-label={t('unjoin.which', { count: objects.length })}
            >
              {objects.map(({ kind, namespace, name }) => (
                <li key={`${kind}/${namespace ?? ''}/${name}`} className="mono wrap">
                  <span className="muted">{kind}</span> {namespace ? `${namespace}/${name}` : name}
                </li>
              ))}
            </ul>
          </details>
          {others > 0 && <p>{t('unjoin.others', { count: others })}</p>}
        </>
      }
    />
  );
}
