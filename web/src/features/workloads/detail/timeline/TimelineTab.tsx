import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Skeleton } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { PAGE_SIZES } from '../../../../app/search';
import type { WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { WorkloadTimelineDocument } from '../../../../graph/generated/graphql';
import { useToldAgain } from '../../../../graph/live/useToldAgain';
import { problemsOf } from '../../../../graph/problems';
import { Failed, Problems } from '../../../../ui/Notices';
import { Pager } from '../../../../ui/Pager';
import { Refresh } from '../../../../ui/page/Refresh';
import { useAsOf } from '../../../../ui/page/asOf';
import { FROM, ROUTE } from '../route';
import type { Period } from '../search';
import { PERIODS } from '../search';
import { daysOf } from './days';
import { Entry } from './Entry';

const HOUR_MS = 3_600_000;

/** What changed? One ordered story of a workload, the newest first. A default export, fetched when wanted. */
export default function TimelineTab({ workload }: { workload: WorkloadDetailFragment }) {
  const { t, i18n } = useTranslation();
  const { period, after, size } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: ROUTE });
  const { id } = workload;
  const since = useSince(period);
  const [{ data, error, fetching, stale }, refetch] = useQuery({
    query: WorkloadTimelineDocument,
    variables: { id, first: size ?? PAGE_SIZES[0], after, since },
  });
  const reading = fetching || stale;
  const asOf = useAsOf(reading);
  const retry = () => refetch({ requestPolicy: 'network-only' });
  // What changes of the workload is in its story a moment later; older pages stay as they are.
  useToldAgain(after === undefined ? storyOf(workload) : null, reading, retry);

  const problems = useMemo(() => problemsOf(error), [error]);
  const timeline = data?.node && 'timeline' in data.node ? data.node.timeline : null;
  if (!timeline) {
    if (reading) return <Skeleton active paragraph={{ rows: 8 }} />;
    return <Failed problems={problems} retry={retry} />;
  }
  const { nodes, pageInfo, withheld } = timeline;
  return (
    <section className="timeline-tab">
      <div className="timeline-head">
        <Periods period={period} />
        <span className="page-gap" />
        {asOf && <Refresh asOf={asOf} loading={reading} read={retry} />}
      </div>
      <Problems problems={problems} retry={retry} />
      {withheld.length > 0 && (
        <p className="muted small" data-withheld={withheld.join(' ')}>
          {t('timeline.withheld', { kinds: withheld.map((kind) => t(`timeline.kind.${kind}`)).join(', ') })}
        </p>
      )}
      {nodes.length === 0 && <p className="muted">{t('timeline.none')}</p>}
      {daysOf(nodes, i18n.language).map(({ date, entries }) => (
        <section key={date}>
          <h2>{date}</h2>
          <ol className="timeline-entries">
            {entries.map((entry, index) => (
              <Entry key={`${entry.at} ${entry.kind} ${index}`} entry={entry} workload={workload} />
            ))}
          </ol>
        </section>
      ))}
      {nodes.length > 0 && (
        <Pager
          byTime
          shown={nodes.length}
          keys=""
          size={size}
          after={after}
          endCursor={pageInfo.endCursor ?? null}
          hasNext={pageInfo.hasNextPage}
          go={(after, trail) =>
            void navigate({ to: '.', search: (before) => ({ ...before, after }), state: { trail } })
          }
          resize={(size) =>
            void navigate({ to: '.', search: (before) => ({ ...before, size, after: undefined }) })
          }
        />
      )}
    </section>
  );
}

/** The moment from which on is asked: kept, so that it is one question. */
function useSince(period: Period | undefined): string | undefined {
  return useMemo(() => period && momentBefore(PERIODS[period]), [period]);
}

function momentBefore(hours: number): string {
  return new Date(Date.now() - hours * HOUR_MS).toISOString();
}

/** What makes another story when it changes: the same whether it was read or told. */
function storyOf({ generation, state, stateReason, propagation }: WorkloadDetailFragment): string {
  const targets = propagation?.targets.map(({ clusterName, applied, healthy, scheduled, status }) => [
    clusterName,
    scheduled.reason,
    applied.reason,
    healthy.reason,
    status?.ready,
  ]);
  return JSON.stringify([generation, state, stateReason, propagation?.policy?.id, targets]);
}

function Periods({ period }: { period: Period | undefined }) {
  const { t } = useTranslation();
  const choices = [undefined, ...(Object.keys(PERIODS) as Period[])];
  return (
    <nav className="periods" aria-label={t('timeline.period')}>
      {choices.map((choice) => (
        <Link
          key={choice ?? 'all'}
          from={ROUTE}
          to="."
          search={(before) => ({ ...before, period: choice, after: undefined })}
          replace
          className={choice === period ? 'is-current' : undefined}
          aria-current={choice === period ? 'true' : undefined}
        >
          {t(`timeline.periods.${choice ?? 'all'}`)}
        </Link>
      ))}
    </nav>
  );
}
