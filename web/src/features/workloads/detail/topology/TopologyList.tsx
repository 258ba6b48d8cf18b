import { useTranslation } from 'react-i18next';
import { ToneIcon } from '../../../../ui/tone';
import type { TopologyNode } from './graph';
import { useNodeText } from './nodeText';

interface TopologyListProps {
  nodes: readonly TopologyNode[];
  picked?: string;
  pick: (id: string) => void;
  label: string;
}

/** The topology in words: for those who do not see it drawn, and where there is no room to. */
export function TopologyList({ nodes, label, ...rest }: TopologyListProps) {
  const first = nodes.filter(({ parent, beside }) => parent === undefined && beside === undefined);
  return (
    <nav className="topology-list" aria-label={label}>
      <Branch of={first} nodes={nodes} {...rest} />
    </nav>
  );
}

type BranchProps = Omit<TopologyListProps, 'label'> & { of: readonly TopologyNode[] };

function Branch({ of, ...rest }: BranchProps) {
  return (
    <ul>
      {of.map((node) => {
        const below = rest.nodes.filter(({ parent, beside }) => parent === node.id || beside === node.id);
        return (
          <li key={node.id}>
            <Item node={node} picked={rest.picked === node.id} pick={rest.pick} />
            {below.length > 0 && <Branch of={below} {...rest} />}
          </li>
        );
      })}
    </ul>
  );
}

interface ItemProps {
  node: TopologyNode;
  picked: boolean;
  pick: (id: string) => void;
}

function Item({ node, picked, pick }: ItemProps) {
  const { t } = useTranslation();
  const { title } = useNodeText(node);
  return (
    <button
      type="button"
      className={`topology-item tone-${node.tone}${node.missing ? ' is-missing' : ''}`}
      aria-pressed={picked}
      data-item={node.id}
      onClick={() => pick(node.id)}
    >
      <ToneIcon tone={node.tone} />
      <span className="name">{title}</span>
      <span className="kind">{node.kind || t(`topology.stage.${node.stage}`)}</span>
      {node.cluster && node.stage !== 'pod' && <span className="muted">{node.cluster}</span>}
      {node.state && <span className="reason">{node.state}</span>}
    </button>
  );
}
