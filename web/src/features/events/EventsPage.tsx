import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useEventColumns } from '../../app/events/columns';
import type { EventRow } from '../../app/events/event';
import { useFleet } from '../../app/fleet';
import { MoreElsewhere } from '../../app/MoreElsewhere';
import { ConnectionPage } from '../../ui/page/ConnectionPage';
import { Stale } from '../../ui/Stale';
import { EventsFilters } from './EventsFilters';
import { isNarrowed } from './search';
import { useEvents } from './useEvents';

const idOf = ({ id }: EventRow) => id;
const attributesOf = ({ reason, type }: EventRow) => ({ 'data-event': reason, 'data-type': type });

const NO_ROWS: readonly EventRow[] = [];

/** What controllers, schedulers and kubelets say that happens. */
export function EventsPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/signed-in/events' });
  const { unwatched, more, ...view } = useEvents(search);
  const { instances } = useFleet();
  const columns = useEventColumns({
    instance: !search.instance || search.member !== undefined,
    object: true,
  });
  return (
    <ConnectionPage
      lead={t(search.member ? 'eventsPage.leadMembers' : 'eventsPage.lead')}
      filters={<EventsFilters search={search} rows={view.rows ?? NO_ROWS} />}
      stale={
        <>
          <Stale
            instances={instances?.filter(({ name }) => !search.instance || search.instance === name)}
            unwatched={unwatched}
          />
          <MoreElsewhere instances={more} />
        </>
      }
      search={search}
      narrowed={isNarrowed(search)}
      view={view}
      texts={{
        empty: t('eventsPage.empty'),
        emptyHint: t('eventsPage.emptyHint'),
        none: t('eventsPage.none'),
        noneHint: t('eventsPage.noneHint'),
        badCursor: t('eventsPage.badCursor'),
        keys: t('eventsPage.keys'),
      }}
      table={{ name: 'events', label: t('events.title'), columns, rowId: idOf, rowAttributes: attributesOf }}
      byTime
    />
  );
}
