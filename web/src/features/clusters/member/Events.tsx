import { Checkbox } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { PAGE_SIZES } from '../../../app/search';
import { ClusterEventsDocument } from '../../../graph/generated/graphql';
import { useSearchChange } from '../../../ui/page/ConnectionPage';
import { ConnectionTable } from '../../../ui/page/ConnectionTable';
import { useConnection } from '../../../ui/page/useConnection';
import { attributesOfEvent, idOfEvent, useEventColumns } from './eventColumns';
import type { TabProps } from './tab';

/** Events in a cluster itself, the newest first. */
export default function Events({ instance, cluster, search }: TabProps) {
  const { t } = useTranslation();
  const change = useSearchChange();
  const { after, size, warnings } = search;
  const view = useConnection({
    document: ClusterEventsDocument,
    variables: useMemo(
      () => ({
        instance,
        cluster,
        first: size ?? PAGE_SIZES[0],
        after,
        filter: warnings ? { types: ['WARNING' as const] } : undefined,
      }),
      [instance, cluster, size, after, warnings],
    ),
    of: (data) => data.instance?.cluster?.events,
  });
  return (
    <ConnectionTable
      byTime
      lead={t('member.eventsLead')}
      filters={
        <Checkbox
          checked={warnings === 'only'}
          onChange={({ target }) =>
            change({ warnings: target.checked ? 'only' : undefined, after: undefined })
          }
        >
          {t('member.warnings')}
        </Checkbox>
      }
      search={search}
      view={view}
      table={{
        name: 'events',
        label: t('member.eventsIn', { cluster }),
        columns: useEventColumns(),
        rowId: idOfEvent,
        rowAttributes: attributesOfEvent,
      }}
      empty={<p className="muted">{t(warnings ? 'member.noWarnings' : 'member.noEvents')}</p>}
    />
  );
}
