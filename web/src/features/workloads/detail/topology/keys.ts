import type { TopologyNode } from './graph';
import type { Position } from './layout';

/** The node that an arrow key leads to: along the way, or to the next one of the same column. */
export function neighbour(
  nodes: readonly TopologyNode[],
  positions: Readonly<Record<string, Position>>,
  from: string,
  key: string,
): string | undefined {
  const node = nodes.find(({ id }) => id === from);
  if (!node) return nodes[0]?.id;
  switch (key) {
    case 'ArrowRight':
      return middle(nodes.filter(({ parent }) => parent === from)) ?? node.changes?.[0];
    case 'ArrowLeft':
      return node.parent ?? node.beside;
    case 'ArrowDown':
    case 'ArrowUp': {
      const column = nodes
        .filter(({ stage }) => stage === node.stage)
        .sort((a, b) => (positions[a.id]?.y ?? 0) - (positions[b.id]?.y ?? 0));
      const at = column.findIndex(({ id }) => id === from);
      return column[key === 'ArrowDown' ? at + 1 : at - 1]?.id;
    }
    case 'Home':
      return nodes[0]?.id;
    default:
      return undefined;
  }
}

/** The child that stands beside its parent. */
function middle(children: readonly TopologyNode[]): string | undefined {
  return children[Math.floor((children.length - 1) / 2)]?.id;
}
