import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { InstanceOperationsQuery } from '../../../graph/generated/graphql';
import { InstanceOperationsDocument } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import { ConnectionTable } from '../../../ui/page/ConnectionTable';
import { useConnection } from '../../../ui/page/useConnection';
import type { DataColumn } from '../../../ui/table/columns';
import { StateBadge } from '../../../ui/tone';
import { subjectOf, toneOfOperation } from '../operation/steps';

type Row = NonNullable<InstanceOperationsQuery['operations']>['nodes'][number];

const idOf = ({ id }: Row) => id;
const attributesOf = ({ kind, state }: Row) => ({ 'data-operation-row': kind, 'data-state': state });

/** Long changes of an instance and its members, the newest first. */
export default function Operations({ instance }: { instance: string }) {
  const { t } = useTranslation();
  const view = useConnection({
    document: InstanceOperationsDocument,
    variables: useMemo(() => ({ first: 100, filter: { instances: [instance] } }), [instance]),
    of: (data) => data.operations,
  });
  return (
    <ConnectionTable
      byTime
      lead={t('operation.lead')}
      search={{}}
      view={view}
      table={{
        name: 'operations',
        label: t('operation.table', { instance }),
        columns: useColumns(),
        rowId: idOf,
        rowAttributes: attributesOf,
      }}
      empty={<p className="muted">{t('operation.none')}</p>}
    />
  );
}

function useColumns(): DataColumn<Row>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'state',
        header: t('clusters.state'),
        cell: ({ state }) => (
          <StateBadge tone={toneOfOperation(state)}>{t(`operation.state.${state}`)}</StateBadge>
        ),
      },
      {
        id: 'operation',
        header: t('operation.what'),
        namesRow: true,
        cell: (operation) => (
          <>
            <Link
              from="/clusters/$instance"
              to="."
              search={{ operation: operation.id }}
              className="name wrap"
            >
              {t(`operation.kind.${operation.kind}`, subjectOf(operation))}
            </Link>
            {operation.message && <div className="muted small wrap">{operation.message}</div>}
          </>
        ),
      },
      {
        id: 'actor',
        header: t('operation.actor'),
        cell: ({ actor }) => <span className="wrap">{actor}</span>,
      },
      {
        id: 'age',
        header: t('operation.begun'),
        number: true,
        cell: ({ createdAt }) => <Age since={createdAt} />,
      },
      {
        id: 'ended',
        header: t('operation.ended'),
        number: true,
        cell: ({ finishedAt }) => <Age since={finishedAt} />,
      },
    ],
    [t],
  );
}
