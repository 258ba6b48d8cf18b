import { Checkbox } from 'antd';
import type { ReactNode } from 'react';
import { createContext, useContext, useMemo, useState } from 'react';

/** Which rows of a table are chosen, by id. */
export interface Selection {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  clear: () => void;
  /** Chooses all rows, or none when all are chosen. */
  toggleAll: () => void;
  /** Whether all rows are chosen. */
  all: boolean;
}

const SelectionContext = createContext<Selection | null>(null);

/** Rows that are gone are not chosen any more. */
export function useSelection(rows: readonly { id: string }[] | null): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    const there = new Set(rows?.map(({ id }) => id));
    const ids = new Set([...chosen].filter((id) => there.has(id)));
    const all = there.size > 0 && ids.size === there.size;
    return {
      ids,
      all,
      toggleAll: () => setChosen(all ? new Set() : there),
      toggle: (id) =>
        setChosen((before) => {
          const next = new Set(before);
          if (!next.delete(id)) next.add(id);
          return next;
        }),
      clear: () => setChosen(new Set()),
    };
  }, [rows, chosen]);
}

export function SelectionProvider({ selection, children }: { selection: Selection; children: ReactNode }) {
  return <SelectionContext value={selection}>{children}</SelectionContext>;
}

/** Chooses one row. Only the boxes are drawn again when the choice changes, not the rows. */
export function SelectBox({ id, label }: { id: string; label: string }) {
  const selection = useContext(SelectionContext);
  return (
    <Checkbox
      aria-label={label}
      checked={selection?.ids.has(id) ?? false}
      onChange={() => selection?.toggle(id)}
    />
  );
}

/** Chooses all rows of the page, or none. */
export function SelectAllBox({ label }: { label: string }) {
  const selection = useContext(SelectionContext);
  return (
    <Checkbox
      aria-label={label}
      checked={selection?.all ?? false}
      indeterminate={selection ? selection.ids.size > 0 && !selection.all : false}
      onChange={() => selection?.toggleAll()}
    />
  );
}
