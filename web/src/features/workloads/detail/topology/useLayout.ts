import { useEffect, useMemo, useRef, useState } from 'react';
import type { TopologyNode } from './graph';
import { STAGES } from './graph';
import type { LayoutNode, Position } from './layout';

export interface Layout {
  positions: Readonly<Record<string, Position>>;
  /** Milliseconds that it took, off the main thread. */
  took: number;
}

interface Answer extends Layout {
  key: string;
}

/** Where the nodes stand: asked of a worker again when nodes come or go, not when they change. Null at first. */
export function useLayout(nodes: readonly TopologyNode[]): Layout | null {
  const worker = useRef<Worker>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const key = JSON.stringify(
    nodes.map(({ id, stage, parent, beside }): LayoutNode => ({
      id,
      layer: STAGES.indexOf(stage),
      parent,
      beside,
    })),
  );

  useEffect(() => {
    const started = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    started.onmessage = ({ data }: MessageEvent<Answer>) => setAnswer(data);
    worker.current = started;
    return () => {
      started.terminate();
      worker.current = null;
    };
  }, []);

  useEffect(() => {
    worker.current?.postMessage({ key, nodes: JSON.parse(key) as LayoutNode[] });
  }, [key]);

  return useMemo(() => answer, [answer]);
}
