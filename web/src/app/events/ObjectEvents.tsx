import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { EventsLiveSubscriptionVariables, ObjectEventsQuery } from '../../graph/generated/graphql';
import { ObjectEventsDocument } from '../../graph/generated/graphql';
import { overlay } from '../../graph/live/list';
import { useFeeds } from '../../graph/live/useFeeds';
import { problemsOf } from '../../graph/problems';
import { Problems } from '../../ui/Notices';
import { Stale } from '../../ui/Stale';
import { DataTable } from '../../ui/table/DataTable';
import { useEventColumns } from './columns';
import type { EventRow } from './event';
import { EVENTS_LIVE, followFrom, newestFirst } from './event';

const idOf = ({ id }: EventRow) => id;
const attributesOf = ({ reason }: EventRow) => ({ 'data-event': reason });
const FIRST = 100;

interface ObjectEventsProps {
  instance: string;
  object: { id: string; uid?: string | null; kind: string; namespace?: string | null; name: string };
}

/** What happened to an object of a control plane, the newest first, and what happens. */
export function ObjectEvents({ instance, object }: ObjectEventsProps) {
  const { t } = useTranslation();
  const [{ data, error, fetching }, read] = useQuery({
    query: ObjectEventsDocument,
    variables: useMemo(() => ({ id: object.id, first: FIRST }), [object.id]),
  });
  const page = eventsOf(data);
  const isRead = page !== null;
  const since = page && followFrom(page);
  const { kind, uid, name } = object;
  // Events about what is in no namespace are told in `default`.
  const namespace = object.namespace ?? 'default';
  const feed = useFeeds(
    EVENTS_LIVE,
    useMemo(
      (): Record<string, EventsLiveSubscriptionVariables> =>
        !isRead
          ? {}
          : { events: { instance, filter: { regardingKinds: [kind], namespaces: [namespace], since } } },
      [isRead, instance, kind, namespace, since],
    ),
  ).get('events');
  const rows = useMemo(
    () =>
      page &&
      overlay(page, feed ? [feed.view] : [], newestFirst)
        .filter(({ regarding }) => (uid ? regarding.uid === uid : regarding.name === name))
        .sort(newestFirst),
    [page, feed, uid, name],
  );
  const columns = useEventColumns({});
  const problems = problemsOf(error);
  const retry = () => read({ requestPolicy: 'network-only' });
  return (
    <>
      {rows && <Problems problems={problems} retry={retry} />}
      <DataTable
        name="events"
        label={t('events.about', { name })}
        columns={columns}
        rows={rows}
        rowId={idOf}
        rowAttributes={attributesOf}
        loading={fetching}
        problems={problems}
        retry={retry}
        sorted
        stale={<Stale unwatched={[{ instance, problems: feed?.problems ?? [] }]} />}
        empty={<p className="muted">{t('events.noneAbout')}</p>}
      />
    </>
  );
}

function eventsOf(data: ObjectEventsQuery | undefined): EventRow[] | null {
  return data?.node && 'events' in data.node ? (data.node.events?.nodes ?? null) : null;
}
