import { describe, expect, it } from 'vitest';
import { diffLines, foldSame } from './lines';

const MARKS = { same: ' ', added: '+', removed: '-' };
const text = (from: string, to: string) =>
  diffLines(from, to).map(({ type, text }) => `${MARKS[type]}${text}`);

describe('diffLines', () => {
  it.each([
    ['nothing', 'a\nb\n', 'a\nb\n', [' a', ' b']],
    ['one line', 'a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['lines that came', 'a\nc', 'a\nb\nc', [' a', '+b', ' c']],
    ['lines that went', 'a\nb\nc', 'a\nc', [' a', '-b', ' c']],
    ['two places', 'a\nb\nc\nd\ne', 'a\nB\nc\nD\ne', [' a', '-b', '+B', ' c', '-d', '+D', ' e']],
    ['everything', 'a', 'b', ['-a', '+b']],
    ['a text that was empty', '', 'a\nb', ['+a', '+b']],
  ])('tells %s', (_, from, to, want) => {
    expect(text(from, to)).toEqual(want);
  });

  it('numbers the lines of both', () => {
    const lines = diffLines('a\nb\nc', 'a\nx\ny\nc');
    expect(lines.map(({ before, after }) => [before, after])).toEqual([
      [1, 1],
      [2, null],
      [null, 2],
      [null, 3],
      [3, 4],
    ]);
  });

  it('does not compare each line with each of a text that is very long', () => {
    const many = (word: string) => Array.from({ length: 50_000 }, (_, n) => `${word}${n}`).join('\n');
    const begun = performance.now();
    expect(diffLines(many('a'), many('b'))).toHaveLength(100_000);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

it('foldSame leaves out what is alike, but for what stands beside a difference', () => {
  const long = Array.from({ length: 20 }, (_, n) => String(n));
  const parts = foldSame(
    diffLines(long.join('\n'), long.map((line) => (line === '10' ? 'x' : line)).join('\n')),
    1,
  );
  expect(parts.map((part) => ('folded' in part ? part.folded : part.lines.map((line) => line.text)))).toEqual(
    [9, ['9', '10', 'x', '11'], 8],
  );
});
