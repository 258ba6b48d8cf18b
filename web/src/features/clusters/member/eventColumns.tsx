import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClusterEventFragment } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import type { DataColumn } from '../../../ui/table/columns';
import { StateBadge } from '../../../ui/tone';

export const idOfEvent = ({ id }: ClusterEventFragment) => id;
export const attributesOfEvent = ({ reason, type }: ClusterEventFragment) => ({
  'data-event-reason': reason,
  'data-type': type,
});

/** All of one object, or of many: then it is named. */
export function useEventColumns(ofOne = false): DataColumn<ClusterEventFragment>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const columns: DataColumn<ClusterEventFragment>[] = [
      {
        id: 'reason',
        header: t('member.event'),
        namesRow: true,
        cell: ({ type, reason }) => (
          <StateBadge tone={type === 'WARNING' ? 'warn' : 'idle'} title={t(`member.eventType.${type}`)}>
            {reason}
          </StateBadge>
        ),
      },
      {
        id: 'message',
        header: t('member.message'),
        cell: ({ message, source }) => (
          <>
            <span className="wrap">{message}</span>
            {source && <div className="muted small wrap">{source}</div>}
          </>
        ),
      },
      {
        id: 'object',
        header: t('member.object'),
        cell: ({ regarding: { kind, namespace, name } }) => (
          <>
            <span className="wrap">{name}</span>
            <div className="muted small">{[kind, namespace].filter(Boolean).join(' · ')}</div>
          </>
        ),
      },
      { id: 'count', header: t('member.times'), number: true, cell: ({ count }) => count },
      {
        id: 'seen',
        header: t('member.lastSeen'),
        number: true,
        cell: ({ lastSeen }) => <Age since={lastSeen} />,
      },
    ];
    return ofOne ? columns.filter(({ id }) => id !== 'object') : columns;
  }, [t, ofOne]);
}
