// What two texts differ in, line by line.

export interface DiffLine {
  type: 'same' | 'added' | 'removed';
  text: string;
  /** Number of the line before and after; null where it is not. */
  before: number | null;
  after: number | null;
}

/** Texts with more lines than these that differ are shown one after the other: comparing takes lines times lines. */
const MOST = 2_000;

/** A shortest way from one text to the other. */
export function diffLines(from: string, to: string): DiffLine[] {
  const before = linesOf(from);
  const after = linesOf(to);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  const same = (text: string, at: number, shift: number): DiffLine => ({
    type: 'same',
    text,
    before: at + 1,
    after: at + shift + 1,
  });
  return [
    ...before.slice(0, start).map((text, at) => same(text, at, 0)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end), start),
    ...before
      .slice(before.length - end)
      .map((text, at) => same(text, before.length - end + at, after.length - before.length)),
  ];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function middle(before: readonly string[], after: readonly string[], start: number): DiffLine[] {
  const lines: DiffLine[] = [];
  let [a, b] = [0, 0];
  const removed = () => {
    lines.push({ type: 'removed', text: before[a] ?? '', before: start + a + 1, after: null });
    a++;
  };
  const added = () => {
    lines.push({ type: 'added', text: after[b] ?? '', before: null, after: start + b + 1 });
    b++;
  };
  const common = before.length > MOST || after.length > MOST ? null : commonOf(before, after);
  while (a < before.length || b < after.length) {
    if (common && a < before.length && b < after.length && before[a] === after[b]) {
      lines.push({ type: 'same', text: before[a] ?? '', before: start + a + 1, after: start + b + 1 });
      a++;
      b++;
    } else if (a < before.length && (b >= after.length || !common || longer(common, a, b))) removed();
    else added();
  }
  return lines;
}

/** Whether leaving a line of the old text out keeps at least as many lines alike as leaving one of the new text out. */
function longer(common: readonly Uint16Array[], a: number, b: number): boolean {
  return (common[a + 1]?.[b] ?? 0) >= (common[a]?.[b + 1] ?? 0);
}

/** How many lines are alike at most from here on, for each pair of places. */
function commonOf(before: readonly string[], after: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let a = before.length - 1; a >= 0; a--) {
    for (let b = after.length - 1; b >= 0; b--) {
      const row = rows[a];
      if (!row) continue;
      row[b] =
        before[a] === after[b]
          ? (rows[a + 1]?.[b + 1] ?? 0) + 1
          : Math.max(rows[a + 1]?.[b] ?? 0, row[b + 1] ?? 0);
    }
  }
  return rows;
}

/** Lines that are shown, or a number of lines alike that are not. */
export type DiffPart = { lines: DiffLine[] } | { folded: number };

/** Leaves out what is alike, but for a few lines beside each difference. */
export function foldSame(lines: readonly DiffLine[], context = 3): DiffPart[] {
  const near = new Set<number>();
  lines.forEach(({ type }, at) => {
    if (type === 'same') return;
    for (let beside = at - context; beside <= at + context; beside++) near.add(beside);
  });
  const parts: DiffPart[] = [];
  lines.forEach((line, at) => {
    const last = parts.at(-1);
    if (near.has(at)) {
      if (last && 'lines' in last) last.lines.push(line);
      else parts.push({ lines: [line] });
    } else if (last && 'folded' in last) last.folded++;
    else parts.push({ folded: 1 });
  });
  return parts;
}
