import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { selectColumn } from '../../../app/bulk/column';
import { ObjectLink } from '../../../app/ObjectLink';
import { Age } from '../../../ui/Age';
import type { DataColumn } from '../../../ui/table/columns';
import { StateBadge } from '../../../ui/tone';
import { toneOfState } from '../../../ui/tones';
import { pathOfKind, shortKind } from '../../../app/kinds';
import { countOf, countText, totalOf } from '../verdict';
import { Chips } from './Chips';
import type { Row } from './page';

/** The columns of the list; the instance is one where there is a choice. */
export function useWorkloadColumns(showInstance: boolean): DataColumn<Row>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const instance: DataColumn<Row> = {
      id: 'instance',
      header: t('app.instance'),
      cell: (row) => row.instance?.name,
    };
    return [
      selectColumn(t),
      {
        id: 'state',
        header: t('workloads.state'),
        cell: (row) => (
          <StateBadge tone={toneOfState(row.state)} title={row.stateReason}>
            {t(`state.${row.state}`)}
          </StateBadge>
        ),
      },
      {
        id: 'kind',
        header: t('workloads.kind'),
        attributes: (row) => ({ title: row.kind }),
        cell: (row) => (
          <>
            <span aria-hidden="true">{shortKind(row.kind)}</span>
            <span className="sr-only">{row.kind}</span>
          </>
        ),
      },
      {
        id: 'name',
        header: t('workloads.name'),
        namesRow: true,
        attributes: (row) => ({ title: row.name }),
        cell: (row) => <Name row={row} />,
      },
      ...(showInstance ? [instance] : []),
      { id: 'namespace', header: t('workloads.namespace'), cell: (row) => row.namespace },
      { id: 'clusters', header: t('workloads.clusters'), cell: (row) => <Chips row={row} /> },
      { id: 'ready', header: t('workloads.ready'), number: true, cell: (row) => <Ready row={row} /> },
      { id: 'policy', header: t('workloads.policy'), cell: (row) => <Policy row={row} /> },
      {
        id: 'age',
        header: t('workloads.age'),
        number: true,
        sortBy: ({ createdAt }) => createdAt,
        cell: (row) => <Age since={row.createdAt} />,
      },
    ];
  }, [t, showInstance]);
}

function Name({ row }: { row: Row }) {
  return (
    <Link
      to="/workloads/$instance/$namespace/$kind/$name"
      params={{
        instance: row.instance?.name ?? '',
        namespace: row.namespace,
        kind: pathOfKind(row.kind),
        name: row.name,
      }}
      className="name"
    >
      {row.name}
    </Link>
  );
}

function Ready({ row }: { row: Row }) {
  const completions = 'completions' in row ? row.completions : null;
  const targets = row.propagation?.targets ?? [];
  const total = totalOf(targets.map((target) => countOf(row.kind, target, completions)));
  return countText(total) || <span className="muted">–</span>;
}

function Policy({ row }: { row: Row }) {
  const { t } = useTranslation();
  const policy = row.propagation?.policy;
  if (policy) {
    return (
      <ObjectLink instance={row.instance?.name} object={policy}>
        <span title={policy.kind}>{policy.name}</span>
      </ObjectLink>
    );
  }
  return <span className="muted">{row.propagation ? t('workloads.noPolicy') : '–'}</span>;
}
