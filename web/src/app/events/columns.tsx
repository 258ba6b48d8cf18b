import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Age } from '../../ui/Age';
import type { DataColumn } from '../../ui/table/columns';
import { StateBadge } from '../../ui/tone';
import { ObjectLink } from '../ObjectLink';
import type { EventRow } from './event';
import { regardingText, toneOfEvent } from './event';

interface EventColumns {
  /** Where there is more than one. */
  instance?: boolean;
  /** What it is about, where that is not the page's own subject. */
  object?: boolean;
}

export function useEventColumns({ instance = false, object = false }: EventColumns): DataColumn<EventRow>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const columns: (DataColumn<EventRow> | false)[] = [
      {
        id: 'last',
        header: t('events.last'),
        cell: (row) => <Age since={row.lastSeen} />,
      },
      {
        id: 'type',
        header: t('events.type'),
        attributes: (row) => ({ 'data-type': row.type }),
        cell: (row) => <StateBadge tone={toneOfEvent(row.type)}>{t(`events.types.${row.type}`)}</StateBadge>,
      },
      {
        id: 'reason',
        header: t('events.reason'),
        namesRow: true,
        attributes: (row) => ({ title: row.reason }),
        cell: (row) => row.reason,
      },
      instance && {
        id: 'instance',
        header: t('app.instance'),
        attributes: (row) => ({ title: placeText(row) }),
        cell: placeText,
      },
      object && {
        id: 'object',
        header: t('events.object'),
        attributes: (row) => ({ title: `${row.regarding.kind} ${regardingText(row)}` }),
        cell: (row) => <Regarding row={row} />,
      },
      {
        id: 'message',
        header: t('events.message'),
        attributes: (row) => ({ title: row.message }),
        cell: (row) => <span className="clamp">{row.message}</span>,
      },
      {
        id: 'count',
        header: t('events.count'),
        number: true,
        cell: (row) => row.count,
      },
      {
        id: 'source',
        header: t('events.source'),
        attributes: (row) => ({ title: row.source }),
        cell: (row) => row.source,
      },
    ];
    return columns.filter((column) => column !== false);
  }, [t, instance, object]);
}

/** `asia`, or `asia / tokyo` for an event of a member. */
function placeText({ instance, cluster }: EventRow): string {
  return [instance?.name, cluster?.name].filter(Boolean).join(' / ');
}

/** What lives in a member has no page here. */
function Regarding({ row }: { row: EventRow }) {
  const { regarding } = row;
  return (
    <>
      <span className="kind">{regarding.kind} </span>
      <ObjectLink instance={row.cluster ? null : row.instance?.name} object={regarding}>
        {regardingText(row)}
      </ObjectLink>
      {regarding.fieldPath && <span className="muted small"> {regarding.fieldPath}</span>}
    </>
  );
}
