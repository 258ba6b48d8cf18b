import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  ClusterEventFragment,
  ClusterEventsLiveSubscription,
  ClusterEventsLiveSubscriptionVariables,
} from '../../../graph/generated/graphql';
import { ClusterEventsLiveDocument } from '../../../graph/generated/graphql';
import { EMPTY_VIEW } from '../../../graph/live/feed';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import { Stale } from '../../../ui/Stale';
import { DataTable } from '../../../ui/table/DataTable';
import { attributesOfEvent, idOfEvent, useEventColumns } from './eventColumns';

const LIVE: FeedSource<
  ClusterEventsLiveSubscription,
  ClusterEventsLiveSubscriptionVariables,
  ClusterEventFragment
> = { document: ClusterEventsLiveDocument, change: (data) => data.events };

const MOST = 20;

/** What Karmada says of a cluster, as it says it: the last events about its Cluster object. */
export function KarmadaEvents({ instance, cluster }: { instance: string; cluster: string }) {
  const { t } = useTranslation();
  const feed = useFeeds(
    LIVE,
    useMemo(() => ({ events: { instance, filter: { regardingKinds: ['Cluster'] } } }), [instance]),
  ).get('events');
  const { live, synced } = feed?.view ?? EMPTY_VIEW;
  const rows = useMemo(() => latestOf(cluster, [...live.values()]), [cluster, live]);
  return (
    <section>
      <h2>{t('member.karmadaEvents')}</h2>
      <Stale unwatched={[{ instance, problems: feed?.problems ?? [] }]} />
      <DataTable
        name="events"
        label={t('member.karmadaEvents')}
        columns={useEventColumns(true)}
        rows={synced || rows.length > 0 ? rows : null}
        loading={(feed?.problems.length ?? 0) === 0}
        problems={feed?.problems}
        rowId={idOfEvent}
        rowAttributes={attributesOfEvent}
        empty={<p className="muted">{t('member.noKarmadaEvents')}</p>}
      />
    </section>
  );
}

function latestOf(cluster: string, events: readonly ClusterEventFragment[]): ClusterEventFragment[] {
  return events
    .filter(({ regarding }) => regarding.name === cluster)
    .sort((a, b) => Date.parse(b.lastSeen) - Date.parse(a.lastSeen))
    .slice(0, MOST);
}
