import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { selectColumn } from '../../app/bulk/column';
import { ObjectLink } from '../../app/ObjectLink';
import { Age } from '../../ui/Age';
import type { DataColumn } from '../../ui/table/columns';
import { StateBadge, ToneIcon } from '../../ui/tone';
import type { Row } from './where';
import { factOf, problemsFirst, toneOf } from './where';

interface Shown {
  instance: boolean;
  namespace: boolean;
  /** Of ConfigMaps and Secrets. */
  keys: boolean;
}

export function useResourceColumns({ instance, namespace, keys }: Shown): DataColumn<Row>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const columns: (DataColumn<Row> | false)[] = [
      selectColumn(t),
      {
        id: 'name',
        header: t('resources.name'),
        namesRow: true,
        attributes: (row) => ({ title: row.name }),
        cell: (row) => <ObjectLink instance={row.instance?.name} object={row} />,
      },
      instance && {
        id: 'instance',
        header: t('app.instance'),
        cell: (row) => row.instance?.name,
      },
      namespace && {
        id: 'namespace',
        header: t('resources.namespace'),
        attributes: (row) => ({ title: row.namespace ?? undefined }),
        cell: (row) => row.namespace,
      },
      keys
        ? {
            id: 'keys',
            header: t('resources.keys'),
            attributes: (row) => ({ title: row.keys.map(({ name }) => name).join('\n') }),
            cell: (row) => row.keys.map(({ name }) => name).join(', '),
          }
        : {
            id: 'conditions',
            header: t('resources.conditions'),
            cell: (row) => <Conditions row={row} />,
          },
      { id: 'where', header: t('resources.clusters'), cell: (row) => <Where row={row} /> },
      {
        id: 'policy',
        header: t('resources.policy'),
        attributes: (row) => ({ title: row.propagation?.policy?.name }),
        cell: (row) =>
          row.propagation?.policy ? (
            <ObjectLink instance={row.instance?.name} object={row.propagation.policy} />
          ) : (
            <span className="muted">–</span>
          ),
      },
      {
        id: 'age',
        header: t('resources.age'),
        number: true,
        cell: (row) => <Age since={row.createdAt} />,
      },
    ];
    return columns.filter((column) => column !== false);
  }, [t, instance, namespace, keys]);
}

/** Conditions that hold are named; those that do not say why. */
function Conditions({ row: { conditions } }: { row: Row }) {
  if (conditions.length === 0) return <span className="muted">–</span>;
  const [first, ...more] = conditions;
  return (
    <>
      {first && <ConditionMark condition={first} />}
      {more.length > 0 && <span className="muted"> +{more.length}</span>}
    </>
  );
}

type Condition = Row['conditions'][number];

/** Whether a condition is good when it holds depends on the condition: its own words say it. */
export function ConditionMark({ condition: { type, status, reason, message } }: { condition: Condition }) {
  return (
    <StateBadge
      tone={status === 'TRUE' ? 'ok' : status === 'FALSE' ? 'idle' : 'unknown'}
      title={[reason, message].filter(Boolean).join(': ')}
    >
      {type}
    </StateBadge>
  );
}

/** So many clusters have room in a row. */
const SHOWN = 3;

function Where({ row: { propagation } }: { row: Row }) {
  const { t } = useTranslation();
  if (!propagation) return <span className="muted">{t('resources.notPropagated')}</span>;
  if (propagation.targets.length === 0) return <span className="muted">{t('resources.nowhere')}</span>;
  const sorted = problemsFirst(propagation.targets);
  const more = sorted.length - SHOWN;
  return (
    <ul className="where">
      {sorted.slice(0, SHOWN).map((target) => (
        <li
          key={target.clusterName}
          className={`tone-${toneOf(target)}`}
          title={`${target.clusterName}: ${factOf(target).reason}`}
          data-where={target.clusterName}
          data-tone={toneOf(target)}
        >
          <ToneIcon tone={toneOf(target)} />
          {target.clusterName}
        </li>
      ))}
      {more > 0 && <li className="muted">+{more}</li>}
    </ul>
  );
}
