import { Segmented, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { MetricUnit } from '../../../graph/generated/graphql';
import { ClusterMetricsDocument, InstanceMetricsDocument } from '../../../graph/generated/graphql';
import { problemsOf } from '../../../graph/problems';
import { LineChart } from '../../../ui/chart/LineChart';
import { Failed, Problems } from '../../../ui/Notices';
import { useAsOf } from '../../../ui/page/asOf';
import { Refresh } from '../../../ui/page/Refresh';
import { bytesText, coresText } from '../../../ui/amounts';
import type { Range } from '../search';
import { RANGES, USUAL_RANGE } from '../search';
import { chartsOf } from './charts';

interface ChartsProps {
  instance: string;
  /** The member whose numbers are shown; those of all of them together when it is left out. */
  cluster?: string;
  range?: Range;
  setRange: (range: Range | undefined) => void;
  /** A way to other charts. */
  choice?: ReactNode;
  /** A way out of them. */
  close?: ReactNode;
}

/** How the numbers of an instance or of a member went. A default export, so that it is fetched when wanted. */
export default function Charts(props: ChartsProps) {
  const { instance, cluster, range = USUAL_RANGE, setRange, choice, close } = props;
  const { t } = useTranslation();
  const view = useMetrics(instance, cluster, range);
  const { metrics } = view;

  return (
    <section className="charts" data-charts={cluster ? `${instance}/${cluster}` : instance}>
      <div className="charts-head">
        <h3>{t('charts.of', { name: cluster ?? instance })}</h3>
        {choice}
        <Segmented<Range>
          size="small"
          aria-label={t('charts.range')}
          value={range}
          options={(Object.keys(RANGES) as Range[]).map((value) => ({
            value,
            label: t(`charts.last.${value}`),
          }))}
          onChange={(value) => setRange(value === USUAL_RANGE ? undefined : value)}
        />
        <span className="page-gap" />
        {view.asOf && <Refresh asOf={view.asOf} loading={view.loading} read={view.read} />}
        {close}
      </div>
      {metrics ? (
        <>
          <Problems problems={view.problems} retry={view.read} />
          {metrics.message && <p className="muted">{metrics.message}</p>}
          <div className="charts-grid">
            {view.charts.map(({ of, unit, lines }) => (
              <LineChart
                key={of}
                label={t(`clusters.${of}`)}
                span={view.span}
                lines={lines.map(({ metric, points }) => ({
                  id: metric,
                  label: t(`charts.metric.${metric}`),
                  points,
                }))}
                text={TEXTS[unit]}
                base={unit === 'BYTES' ? 1024 : 10}
              />
            ))}
          </div>
          {metrics.available && view.charts.length === 0 && <p className="muted">{t('charts.none')}</p>}
        </>
      ) : view.loading ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : (
        <Failed problems={view.problems} retry={view.read} />
      )}
    </section>
  );
}

const TEXTS: Record<MetricUnit, (value: number) => string> = {
  CORES: coresText,
  BYTES: bytesText,
  COUNT: coresText,
};

/** Reads the numbers up to the moment at which they are asked for. */
function useMetrics(instance: string, cluster: string | undefined, range: Range) {
  const [now, setNow] = useState(Date.now);
  const span = useMemo(() => ({ from: now - RANGES[range] * 60_000, to: now }), [now, range]);
  const asked = useMemo(
    () => ({ from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() }),
    [span],
  );
  const [ofInstance] = useQuery({
    query: InstanceMetricsDocument,
    variables: { instance, range: asked },
    pause: cluster !== undefined,
  });
  const [ofCluster] = useQuery({
    query: ClusterMetricsDocument,
    variables: { instance, cluster: cluster ?? '', range: asked },
    pause: cluster === undefined,
  });
  const { data, error, fetching, stale } = cluster === undefined ? ofInstance : ofCluster;
  const metrics =
    (cluster === undefined
      ? ofInstance.data?.instance?.metrics
      : ofCluster.data?.instance?.cluster?.metrics) ?? null;
  const loading = fetching || stale;
  return {
    metrics,
    charts: useMemo(() => chartsOf(metrics?.series ?? []), [metrics]),
    span,
    loading: loading || (!data && !error),
    asOf: useAsOf(loading),
    problems: useMemo(() => problemsOf(error), [error]),
    read: () => setNow(Date.now()),
  };
}
