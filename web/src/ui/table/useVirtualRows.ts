import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { useLayoutEffect, useState } from 'react';

/** Up to here every row is in the document, so that the browser's own search finds it. */
const VIRTUAL_FROM = 100;
const ROW_HEIGHT = 36;

export interface RowWindow {
  indexes: number[];
  /** Heights of what is not drawn before and after, in pixels. */
  above: number;
  below: number;
  measure?: (element: HTMLTableRowElement | null) => void;
}

/** What scrolls is the page's content. */
function scroller(): HTMLElement | null {
  return document.getElementById('content');
}

/** Which rows to draw: all of a short table, those in sight of a long one. */
export function useVirtualRows<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  table: RefObject<HTMLTableElement | null>,
): RowWindow {
  const many = rows.length > VIRTUAL_FROM;
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const content = scroller();
    const body = table.current?.tBodies[0];
    if (!content || !body) return;
    setMargin(body.getBoundingClientRect().top - content.getBoundingClientRect().top + content.scrollTop);
  }, [table, many]);

  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is memoised by a compiler
  const virtualizer = useVirtualizer({
    count: rows.length,
    enabled: many,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowId(row);
    },
    getScrollElement: scroller,
    overscan: 12,
    scrollMargin: margin,
  });
  if (!many) return { indexes: rows.map((_, index) => index), above: 0, below: 0 };

  const items = virtualizer.getVirtualItems();
  const first = items.at(0);
  const last = items.at(-1);
  return {
    indexes: items.map((item) => item.index),
    above: first ? first.start - margin : 0,
    below: last ? virtualizer.getTotalSize() - (last.end - margin) : 0,
    measure: virtualizer.measureElement,
  };
}
