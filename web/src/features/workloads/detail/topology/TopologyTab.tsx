import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Skeleton } from 'antd';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { Failed } from '../../../../ui/Notices';
import { Stale } from '../../../../ui/Stale';
import { useMedia } from '../../../../ui/useMedia';
import { Missing } from '../../../../app/pods/Missing';
import { usePods } from '../../../../app/pods/usePods';
import { FROM, ROUTE } from '../route';
import { useTree } from '../useTree';
import type { TopologyNode } from './graph';
import { topologyOf } from './graph';
import { NodeDetail } from './NodeDetail';
import { TopologyList } from './TopologyList';
import { useLayout } from './useLayout';

const Graph = lazy(() => import('./Graph'));

const PHONE = '(width < 768px)';
const NONE: readonly TopologyNode[] = [];

interface TopologyTabProps {
  workload: WorkloadDetailFragment;
  instance: string;
}

/** From the template to the pods, as it is now: drawn, or as a list. A default export, fetched when wanted. */
export default function TopologyTab({ workload, instance }: TopologyTabProps) {
  const { t } = useTranslation();
  const { node: picked, view, cluster } = useSearch({ from: FROM });
  const narrow = useMedia(PHONE);
  const { tree, problems } = useTree(workload.id);
  const pods = usePods(workload.id);
  const nodes = useMemo(
    () => (tree ? topologyOf(tree, pods.pods ?? [], cluster) : NONE),
    [tree, pods.pods, cluster],
  );
  const pick = usePick(picked);
  const shown = nodes.find(({ id }) => id === picked);
  const asList = (view ?? (narrow ? 'list' : 'graph')) === 'list';
  const label = t('topology.label', { name: workload.name });

  if (!tree) {
    if (problems.length > 0) return <Failed problems={problems} />;
    return <Skeleton active paragraph={{ rows: 10 }} />;
  }
  return (
    <section className="topology">
      <Stale unwatched={[{ instance, problems: [...problems, ...pods.problems] }]} />
      <Missing missing={pods.missing} limited={pods.limited} />
      <div className="topology-head">
        <span className="muted" role="status">
          {t('topology.count', { count: nodes.length })}
        </span>
        {cluster && (
          <span className="only-cluster">
            {t('pods.only', { cluster })}{' '}
            <Link
              from={ROUTE}
              to="."
              search={(before) => ({ ...before, cluster: undefined, node: undefined })}
              replace
            >
              {t('pods.all')}
            </Link>
          </span>
        )}
        <span className="page-gap" />
        {!asList && <span className="muted small topology-keys">{t('topology.keys')}</span>}
        <Link
          from={ROUTE}
          to="."
          search={(before) => ({ ...before, view: asList ? 'graph' : 'list' })}
          replace
          data-view={asList ? 'list' : 'graph'}
        >
          {t(asList ? 'topology.asGraph' : 'topology.asList')}
        </Link>
      </div>
      <div className={shown ? 'topology-body has-detail' : 'topology-body'}>
        {asList ? (
          <TopologyList nodes={nodes} picked={picked} pick={pick} label={label} />
        ) : (
          <Drawn nodes={nodes} picked={picked} pick={pick} label={label} />
        )}
        {shown && <NodeDetail node={shown} close={() => pick(shown.id)} />}
      </div>
    </section>
  );
}

interface DrawnProps {
  nodes: readonly TopologyNode[];
  picked?: string;
  pick: (id: string) => void;
  label: string;
}

function Drawn(props: DrawnProps) {
  const layout = useLayout(props.nodes);
  const waiting = <div className="topology-graph" aria-busy="true" />;
  return <Suspense fallback={waiting}>{layout ? <Graph {...props} layout={layout} /> : waiting}</Suspense>;
}

/** Looks at a node; at none when it is the one that is looked at. The address says which. */
function usePick(picked: string | undefined) {
  const navigate = useNavigate({ from: ROUTE });
  return useCallback(
    (id: string) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, node: id === picked ? undefined : id }),
        replace: true,
        resetScroll: false,
      }),
    [navigate, picked],
  );
}
