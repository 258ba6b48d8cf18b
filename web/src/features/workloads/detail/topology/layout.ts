// Where the nodes of a topology stand: a column for each stage, children beside each other, parents in the middle of
// theirs. Every node is reached once, so that it takes as long as there are nodes.

export interface LayoutNode {
  id: string;
  /** Its column. */
  layer: number;
  parent?: string;
  /** It stands below this one, and has no children. */
  beside?: string;
}

export interface Position {
  x: number;
  y: number;
}

export const COLUMN = 226;
export const ROW = 62;
/** Between what is in one cluster and what is in the next. */
const GAP = 14;

export function layout(nodes: readonly LayoutNode[]): Record<string, Position> {
  const children = new Map<string, LayoutNode[]>();
  const roots: LayoutNode[] = [];
  const besides: LayoutNode[] = [];
  const known = new Set(nodes.map(({ id }) => id));
  for (const node of nodes) {
    if (node.beside !== undefined) besides.push(node);
    else if (node.parent !== undefined && known.has(node.parent)) {
      const siblings = children.get(node.parent) ?? [];
      siblings.push(node);
      children.set(node.parent, siblings);
    } else roots.push(node);
  }
  const positions: Record<string, Position> = {};
  let bottom = 0;
  for (const root of roots) bottom = place(root, bottom, children, positions) + GAP;

  const below = new Map<string, number>();
  for (const { id, layer, beside = '' } of besides) {
    const rank = (below.get(beside) ?? 0) + 1;
    below.set(beside, rank);
    positions[id] = { x: layer * COLUMN, y: (positions[beside]?.y ?? 0) + rank * ROW };
  }
  return positions;
}

/** Places a node and everything below it from `top` on; returns where the next one may begin. */
function place(
  node: LayoutNode,
  top: number,
  children: ReadonlyMap<string, LayoutNode[]>,
  positions: Record<string, Position>,
): number {
  const own = children.get(node.id) ?? [];
  let bottom = top;
  own.forEach((child, index) => {
    // Siblings with children of their own stand apart from each other.
    if (index > 0 && children.has(child.id)) bottom += GAP;
    bottom = place(child, bottom, children, positions);
  });
  const first = positions[own.at(0)?.id ?? ''];
  const last = positions[own.at(-1)?.id ?? ''];
  const y = first && last ? (first.y + last.y) / 2 : top;
  positions[node.id] = { x: node.layer * COLUMN, y };
  return Math.max(bottom, top + ROW);
}
