import { Link, useNavigate } from '@tanstack/react-router';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ClustersSearch, Range } from '../search';
import Charts from './Charts';

interface InstanceChartsProps {
  instance: string;
  clusters: readonly string[];
  cluster?: string;
  range?: Range;
}

/** The charts of an instance in the list of all: of it as a whole, or of one of its members. */
export default function InstanceCharts({ instance, clusters, cluster, range }: InstanceChartsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const change = (change: Partial<ClustersSearch>) =>
    void navigate({ to: '/clusters', search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <Charts
      instance={instance}
      cluster={cluster}
      range={range}
      setRange={(range) => change({ range })}
      choice={
        <Select
          size="small"
          popupMatchSelectWidth={false}
          aria-label={t('clusters.cluster')}
          value={cluster ?? ''}
          options={[
            { value: '', label: t('charts.allClusters') },
            ...clusters.map((value) => ({ value, label: value })),
          ]}
          onChange={(value) => change({ chart: value ? `${instance}/${value}` : instance })}
        />
      }
      close={
        <Link
          from="/clusters"
          to="."
          search={(before) => ({ ...before, chart: undefined, range: undefined })}
        >
          {t('app.close')}
        </Link>
      }
    />
  );
}
