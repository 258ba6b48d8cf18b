// Lays topologies out beside the page, which goes on being drawn meanwhile.

import type { LayoutNode } from './layout';
import { layout } from './layout';

interface Question {
  key: string;
  nodes: LayoutNode[];
}

self.onmessage = ({ data: { key, nodes } }: MessageEvent<Question>) => {
  const begun = performance.now();
  const positions = layout(nodes);
  self.postMessage({ key, positions, took: performance.now() - begun });
};
