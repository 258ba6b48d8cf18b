import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { PAGE_SIZES } from '../../../app/search';
import type { NodeRowFragment, NodeState } from '../../../graph/generated/graphql';
import { ClusterNodesDocument } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import { ConnectionTable } from '../../../ui/page/ConnectionTable';
import { useConnection } from '../../../ui/page/useConnection';
import type { DataColumn } from '../../../ui/table/columns';
import { StateBadge } from '../../../ui/tone';
import type { Tone } from '../../../ui/tones';
import { bytesText, coresText } from '../../../ui/amounts';
import { holdsWell, taintText } from './health';
import type { TabProps } from './tab';

const TONES: Record<NodeState, Tone> = { READY: 'ok', NOT_READY: 'bad', UNKNOWN: 'unknown' };

const idOf = ({ id }: NodeRowFragment) => id;
const attributesOf = ({ name, state }: NodeRowFragment) => ({ 'data-node': name, 'data-state': state });

/** The machines of a cluster, those that do not work first. */
export default function Nodes({ instance, cluster, search }: TabProps) {
  const { t } = useTranslation();
  const { after, size } = search;
  const view = useConnection({
    document: ClusterNodesDocument,
    variables: useMemo(
      () => ({ instance, cluster, first: size ?? PAGE_SIZES[0], after }),
      [instance, cluster, size, after],
    ),
    of: (data) => data.instance?.cluster?.nodeList,
  });
  const rows = useMemo(() => view.rows && [...view.rows].sort((a, b) => rank(a) - rank(b)), [view.rows]);
  return (
    <ConnectionTable
      lead={rows && t('member.shown', { count: rows.length })}
      search={search}
      view={{ ...view, rows }}
      table={{
        name: 'nodes',
        label: t('member.nodesOf', { cluster }),
        columns: useNodeColumns(),
        rowId: idOf,
        rowAttributes: attributesOf,
      }}
      empty={<p className="muted">{t('member.noNodes')}</p>}
    />
  );
}

function rank({ state, schedulable }: NodeRowFragment): number {
  return state !== 'READY' ? 0 : schedulable ? 2 : 1;
}

function useNodeColumns(): DataColumn<NodeRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'node',
        header: t('member.node'),
        namesRow: true,
        cell: ({ name, roles }) => (
          <>
            <span className="name wrap">{name}</span>
            {roles.length > 0 && <div className="muted small">{roles.join(', ')}</div>}
          </>
        ),
      },
      { id: 'state', header: t('clusters.state'), cell: (node) => <State node={node} /> },
      {
        id: 'cpu',
        header: t('clusters.cpu'),
        number: true,
        cell: ({ allocatable }) => (allocatable ? coresText(allocatable.cpu.cores) : '–'),
      },
      {
        id: 'memory',
        header: t('clusters.memory'),
        number: true,
        cell: ({ allocatable }) => (allocatable ? bytesText(allocatable.memory.bytes) : '–'),
      },
      {
        id: 'pods',
        header: t('clusters.pods'),
        number: true,
        cell: ({ allocatable }) => allocatable?.pods ?? '–',
      },
      {
        id: 'kubelet',
        header: t('member.kubelet'),
        cell: ({ kubeletVersion, containerRuntime }) => (
          <>
            {kubeletVersion ?? '–'}
            <div className="muted small wrap">{containerRuntime}</div>
          </>
        ),
      },
      {
        id: 'system',
        header: t('member.system'),
        cell: ({ osImage, architecture }) => (
          <span className="wrap">{[osImage, architecture].filter(Boolean).join(' · ') || '–'}</span>
        ),
      },
      {
        id: 'age',
        header: t('member.age'),
        number: true,
        cell: ({ createdAt }) => <Age since={createdAt} />,
      },
    ],
    [t],
  );
}

function State({ node }: { node: NodeRowFragment }) {
  const { t } = useTranslation();
  const { state, stateMessage, schedulable, taints, conditions } = node;
  const troubles = conditions.filter((condition) => condition.type !== 'Ready' && !holdsWell(condition));
  return (
    <>
      <StateBadge tone={TONES[state]} title={stateMessage}>
        {t(`state.${state}`)}
      </StateBadge>
      {state !== 'READY' && stateMessage && <div className="muted small wrap">{stateMessage}</div>}
      {state === 'READY' && !schedulable && <div className="small reason">{t('member.cordoned')}</div>}
      {troubles.map(({ type, message }) => (
        <div key={type} className="small wrap">
          <span className="reason">{type}</span> <span className="muted">{message}</span>
        </div>
      ))}
      {taints.map((taint) => (
        <div key={taintText(taint)} className="muted small mono wrap">
          {taintText(taint)}
        </div>
      ))}
    </>
  );
}
