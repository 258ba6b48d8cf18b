import type { Node, NodeProps } from '@xyflow/react';
import { Handle, Position } from '@xyflow/react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { ToneIcon } from '../../../../ui/tone';
import type { TopologyNode } from './graph';
import { useNodeText } from './nodeText';

export interface BoxData extends Record<string, unknown> {
  node: TopologyNode;
  /** It is looked at. */
  picked: boolean;
  /** The one that Tab leads to. */
  stop: boolean;
  pick: (id: string) => void;
}

export type BoxNode = Node<BoxData, 'box'>;

/** One object of the graph: a button, which arrow keys lead to. */
export const NodeBox = memo(function NodeBox({ data }: NodeProps<BoxNode>) {
  const { node, picked, stop, pick } = data;
  const { t } = useTranslation();
  const { title, label } = useNodeText(node);
  return (
    <>
      {node.stage !== 'template' && !node.beside && (
        <Handle type="target" position={Position.Left} isConnectable={false} />
      )}
      <button
        type="button"
        className={`node-box tone-${node.tone}${node.missing ? ' is-missing' : ''}`}
        data-node={node.id}
        data-tone={node.tone}
        tabIndex={stop ? 0 : -1}
        aria-pressed={picked}
        title={label}
        onClick={() => pick(node.id)}
      >
        <ToneIcon tone={node.tone} />
        <span className="node-words">
          <span className="node-name">{title}</span>
          <span className="node-kind">
            {[node.kind || t(`topology.stage.${node.stage}`), node.stage !== 'template' && node.cluster]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
        {node.state && <span className="sr-only">{node.state}</span>}
      </button>
      {node.stage !== 'pod' && <Handle type="source" position={Position.Right} isConnectable={false} />}
    </>
  );
});
