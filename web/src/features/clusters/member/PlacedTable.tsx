import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { KINDS, pathOfKind } from '../../../app/kinds';
import type { DataColumn } from '../../../ui/table/columns';
import { DataTable } from '../../../ui/table/DataTable';
import { StateBadge } from '../../../ui/tone';
import type { Placed } from './placed';
import { toneOfPlaced } from './placed';

interface PlacedTableProps {
  instance: string;
  rows: readonly Placed[];
  label: string;
}

export const idOfPlaced = ({ binding }: Placed) => binding.id;
export const attributesOfPlaced = ({ binding, state }: Placed) => ({
  'data-placed': binding.template?.name ?? binding.name,
  'data-state': state,
});

export function PlacedTable({ instance, rows, label }: PlacedTableProps) {
  return (
    <DataTable
      name="placed"
      label={label}
      columns={usePlacedColumns(instance)}
      rows={rows}
      rowId={idOfPlaced}
      rowAttributes={attributesOfPlaced}
      empty={null}
    />
  );
}

export function usePlacedColumns(instance: string): DataColumn<Placed>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'state',
        header: t('clusters.state'),
        cell: ({ state, message }) => (
          <>
            <StateBadge tone={toneOfPlaced(state)}>{t(`member.placedState.${state}`)}</StateBadge>
            {message && <div className="muted small wrap">{message}</div>}
          </>
        ),
      },
      {
        id: 'object',
        header: t('member.object'),
        namesRow: true,
        cell: (placed) => <ObjectName instance={instance} placed={placed} />,
      },
      {
        id: 'kind',
        header: t('member.kind'),
        cell: ({ binding: { template } }) => <span className="kind">{template?.kind ?? '–'}</span>,
      },
      {
        id: 'replicas',
        header: t('member.replicas'),
        number: true,
        cell: ({ replicas }) => replicas ?? <span className="muted">–</span>,
      },
      {
        id: 'policy',
        header: t('member.policy'),
        cell: ({ binding: { policy } }) =>
          policy ? (
            <span className="wrap" title={policy.kind}>
              {policy.namespace ? `${policy.namespace}/${policy.name}` : policy.name}
            </span>
          ) : (
            <span className="muted">{t('member.dependency')}</span>
          ),
      },
    ],
    [t, instance],
  );
}

function ObjectName({ instance, placed: { binding } }: { instance: string; placed: Placed }) {
  const { template } = binding;
  // The object is gone, or not the viewer's to see: its binding is what is left.
  const { kind, namespace, name } = template ?? binding;
  const known = template && KINDS.some((workload) => workload.kind === kind);
  return (
    <>
      {known && namespace ? (
        <Link
          to="/workloads/$instance/$namespace/$kind/$name"
          params={{ instance, namespace, kind: pathOfKind(kind), name }}
          className="name wrap"
        >
          {name}
        </Link>
      ) : (
        <span className="name wrap">{name}</span>
      )}
      {namespace && <div className="muted small">{namespace}</div>}
    </>
  );
}
