import type { Edge, ReactFlowInstance } from '@xyflow/react';
import { Background, Controls, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import type { KeyboardEvent } from 'react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TopologyNode } from './graph';
import { edgesOf } from './graph';
import { neighbour } from './keys';
import { ROW } from './layout';
import type { BoxNode } from './NodeBox';
import { NodeBox } from './NodeBox';
import type { Layout } from './useLayout';

const TYPES = { box: NodeBox };
const WIDTH = 190;
const HEIGHT = ROW - 14;
const PRO = { hideAttribution: true };
const FIT = { padding: 0.04, maxZoom: 1 };

interface GraphProps {
  nodes: readonly TopologyNode[];
  layout: Layout;
  picked?: string;
  pick: (id: string) => void;
  label: string;
}

/** The topology drawn: Tab leads to it, arrow keys lead through it, Enter looks at a node. A default export, fetched when wanted. */
export default function Graph({ nodes, layout: { positions, took }, picked, pick, label }: GraphProps) {
  const { t } = useTranslation();
  const flow = useRef<ReactFlowInstance<BoxNode>>(null);
  const host = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(picked ?? 'template');

  const drawn = useMemo(
    () =>
      nodes.flatMap((node): BoxNode[] => {
        const position = positions[node.id];
        if (!position) return [];
        const data = { node, picked: node.id === picked, stop: node.id === stop, pick };
        return [{ id: node.id, type: 'box', position, width: WIDTH, height: HEIGHT, data }];
      }),
    [nodes, positions, picked, stop, pick],
  );
  const edges = useMemo(
    () =>
      edgesOf(nodes).map(({ id, from, to, beside, tone }): Edge => ({
        id,
        source: from,
        target: to,
        className: beside ? 'edge is-beside' : `edge tone-${tone}`,
        focusable: false,
      })),
    [nodes],
  );

  const move = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = (event.target as HTMLElement).dataset.node;
    if (at === undefined) return;
    const to = neighbour(nodes, positions, at, event.key);
    const position = to === undefined ? undefined : positions[to];
    if (to === undefined || !position) return;
    event.preventDefault();
    setStop(to);
    void flow.current?.setCenter(position.x + WIDTH / 2, position.y + HEIGHT / 2, {
      zoom: Math.max(flow.current.getZoom(), 0.7),
    });
    host.current
      ?.querySelector<HTMLElement>(`[data-node="${CSS.escape(to)}"]`)
      ?.focus({ preventScroll: true });
  };

  return (
    <div ref={host} className="topology-graph" data-layout-ms={Math.round(took)} onKeyDown={move}>
      <ReactFlow<BoxNode>
        nodes={drawn}
        edges={edges}
        nodeTypes={TYPES}
        onInit={(instance) => {
          flow.current = instance;
        }}
        fitView
        fitViewOptions={FIT}
        minZoom={0.05}
        maxZoom={1.5}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        zoomOnDoubleClick={false}
        disableKeyboardA11y
        proOptions={PRO}
        aria-label={label}
        ariaLabelConfig={{
          'controls.ariaLabel': t('topology.controls'),
          'controls.zoomIn.ariaLabel': t('topology.zoomIn'),
          'controls.zoomOut.ariaLabel': t('topology.zoomOut'),
          'controls.fitView.ariaLabel': t('topology.fit'),
        }}
      >
        <Background gap={24} />
        <Controls showInteractive={false} fitViewOptions={FIT} />
      </ReactFlow>
    </div>
  );
}
