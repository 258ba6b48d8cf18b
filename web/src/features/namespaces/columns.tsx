import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DeleteNamespaceButton } from '../../app/namespaces/DeleteNamespace';
import { ObjectLink } from '../../app/ObjectLink';
import { Age } from '../../ui/Age';
import type { DataColumn } from '../../ui/table/columns';
import { StateBadge } from '../../ui/tone';
import type { Contents, Row } from './namespace';
import { isKeptBack, ownLabels } from './namespace';

const labelsText = (row: Row) =>
  ownLabels(row)
    .map(({ key, value }) => `${key}=${value}`)
    .join(', ');

export function useNamespaceColumns(
  withInstance: boolean,
  contents: ReadonlyMap<string, Contents>,
): DataColumn<Row>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const columns: (DataColumn<Row> | false)[] = [
      {
        id: 'name',
        header: t('namespaces.name'),
        namesRow: true,
        attributes: ({ name }) => ({ title: name }),
        cell: (row) => <ObjectLink instance={row.instance?.name} object={row} />,
      },
      withInstance && { id: 'instance', header: t('app.instance'), cell: (row) => row.instance?.name },
      {
        id: 'state',
        header: t('namespaces.state'),
        cell: ({ id }) => <Phase contents={contents.get(id)} />,
      },
      {
        id: 'workloads',
        header: t('app.workloads'),
        number: true,
        cell: ({ id, name, instance }) => (
          <Link to="/workloads" search={{ instance: instance?.name, namespace: [name] }}>
            <Count of={contents.get(id)?.counts?.workloads} />
          </Link>
        ),
      },
      {
        id: 'policies',
        header: t('app.policies'),
        number: true,
        cell: ({ id, name, instance }) => (
          <Link to="/policies" search={{ instance: instance?.name, namespace: [name] }}>
            <Count of={contents.get(id)?.counts?.policies} />
          </Link>
        ),
      },
      {
        id: 'propagation',
        header: t('namespaces.propagation'),
        attributes: () => ({ title: t('namespaces.propagationHint') }),
        cell: (row) =>
          isKeptBack(row) ? (
            t('namespaces.keptBack')
          ) : (
            <span className="muted">{t('namespaces.automatic')}</span>
          ),
      },
      {
        id: 'labels',
        header: t('namespaces.labels'),
        attributes: (row) => ({ title: labelsText(row) }),
        cell: (row) => labelsText(row) || <span className="muted">–</span>,
      },
      {
        id: 'age',
        header: t('namespaces.age'),
        number: true,
        cell: ({ createdAt }) => <Age since={createdAt} />,
      },
      {
        id: 'delete',
        header: t('namespaces.action'),
        cell: (row) => <DeleteNamespaceButton namespace={row} inRow />,
      },
    ];
    return columns.filter((column) => column !== false);
  }, [t, withInstance, contents]);
}

/** A number that is not known is no zero. */
function Count({ of }: { of: number | undefined }) {
  return <>{of ?? '–'}</>;
}

const TONES = { ACTIVE: 'ok', TERMINATING: 'busy', UNKNOWN: 'unknown' } as const;

function Phase({ contents }: { contents: Contents | undefined }) {
  const { t } = useTranslation();
  if (!contents) return <span className="muted">–</span>;
  return <StateBadge tone={TONES[contents.phase]}>{t(`namespaces.phase.${contents.phase}`)}</StateBadge>;
}
