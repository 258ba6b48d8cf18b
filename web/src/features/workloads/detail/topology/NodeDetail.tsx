import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '../../../../ui/tone';
import { ROUTE } from '../route';
import type { TopologyNode } from './graph';
import { useNodeText } from './nodeText';

interface NodeDetailProps {
  node: TopologyNode;
  close: () => void;
}

/** The node that is looked at: what it says, and where to go from there. */
export function NodeDetail({ node, close }: NodeDetailProps) {
  const { t } = useTranslation();
  const { title } = useNodeText(node);
  const { kind, stage, cluster, state, tone, message } = node;
  return (
    <aside className="node-detail" aria-label={title} data-node-detail={node.id}>
      <header>
        <h2>
          <span className="wrap">{title}</span>{' '}
          <span className="kind">{kind || t(`topology.stage.${stage}`)}</span>
        </h2>
        <button type="button" className="link" onClick={close}>
          {t('app.close')}
        </button>
      </header>
      {state && <StateBadge tone={tone}>{state}</StateBadge>}
      {cluster && (
        <p>
          <Link from={ROUTE} to="." search={{ cluster }}>
            {t('topology.inCluster', { cluster })}
          </Link>
        </p>
      )}
      {message && <p className="muted wrap">{message}</p>}
      <Further node={node} />
    </aside>
  );
}

function Further({ node: { id, stage, cluster, count, missing } }: { node: TopologyNode }) {
  const { t } = useTranslation();
  if (stage === 'template') {
    return (
      <Link from={ROUTE} to="." search={{ tab: 'yaml' }}>
        {t('topology.yaml')}
      </Link>
    );
  }
  if (missing) {
    return (
      <Link from={ROUTE} to="." search={{ cluster }}>
        {t('topology.why')}
      </Link>
    );
  }
  if (stage !== 'pod') return null;
  if (count !== undefined) {
    return (
      <Link from={ROUTE} to="." search={{ tab: 'pods', cluster }}>
        {t('topology.pods')}
      </Link>
    );
  }
  return (
    <Link from={ROUTE} to="." search={{ tab: 'pods', log: [id.slice('pod/'.length)] }}>
      {t('topology.log')}
    </Link>
  );
}
