import { describe, expect, it } from 'vitest';
import type { LogEntry } from './buffer';
import { containing, instantOf, LogBuffer, textOf } from './buffer';

const line = (second: number, text: string, pod = 'a') => ({
  at: `2026-03-01T12:00:${String(second).padStart(2, '0')}.5Z`,
  cluster: 'tokyo',
  pod,
  text,
  cut: 0,
});
const chunk = (lines: ReturnType<typeof line>[], dropped = 0) => ({ lines, dropped, ended: [] });
const said = (entries: readonly LogEntry[]) =>
  entries.map((entry) => (entry.kind === 'line' ? entry.line.text : entry.kind));

describe('containing', () => {
  it('leaves the lines that contain a text, in whatever case, and what is said between lines', () => {
    const buffer = new LogBuffer();
    buffer.add(chunk([line(1, 'GET /cart'), line(2, 'POST /cart'), line(3, 'get /health')]));
    buffer.add(chunk([], 2));
    expect(said(containing(buffer.view(), 'get'))).toEqual(['GET /cart', 'get /health', 'dropped']);
    expect(said(containing(buffer.view(), ''))).toHaveLength(4);
  });
});

describe('LogBuffer', () => {
  it('keeps the newest lines, and counts those it let go', () => {
    const buffer = new LogBuffer(3);
    buffer.add(chunk([1, 2, 3, 4, 5].map((second) => line(second, `line ${second}`))));
    expect(said(buffer.view())).toEqual(['line 3', 'line 4', 'line 5']);
    expect(buffer.trimmed).toBe(2);
  });

  it('is bounded in what lines hold, too', () => {
    const buffer = new LogBuffer(100, 10);
    buffer.add(chunk([line(1, '12345'), line(2, '12345'), line(3, '123')]));
    expect(said(buffer.view())).toEqual(['12345', '123']);
    buffer.add(chunk([line(4, 'longer than all of it')]));
    expect(said(buffer.view())).toEqual([]);
  });

  it('says where lines were left out, and of which pods nothing more comes', () => {
    const buffer = new LogBuffer();
    buffer.add(chunk([line(1, 'one')]));
    buffer.add({
      lines: [line(2, 'two')],
      dropped: 7,
      ended: [{ cluster: 'tokyo', pod: 'a', error: { code: 'FORBIDDEN', message: 'no' } }],
    });
    expect(buffer.view()).toMatchObject([
      { kind: 'line' },
      { kind: 'dropped', count: 7 },
      { kind: 'line' },
      { kind: 'ended', pod: 'tokyo/a', message: 'no' },
    ]);
  });

  it('leaves out what a stream that begins again tells a second time, of each pod', () => {
    const buffer = new LogBuffer();
    buffer.add(chunk([line(1, 'a1'), line(5, 'a5'), line(2, 'b2', 'b')]));
    buffer.resume();
    buffer.add(chunk([line(1, 'a1'), line(2, 'b2', 'b'), line(3, 'b3', 'b'), line(5, 'a5'), line(6, 'a6')]));
    expect(said(buffer.view())).toEqual(['a1', 'a5', 'b2', 'resumed', 'b3', 'a6']);
  });

  it('gives each entry a key of its own', () => {
    const buffer = new LogBuffer(2);
    for (let second = 0; second < 5; second++) buffer.add(chunk([line(second, 'x')], 1));
    expect(new Set(buffer.view().map(({ key }) => key)).size).toBe(2);
  });
});

it('orders moments, however many digits they have', () => {
  const moments = ['12:00:00Z', '12:00:00.1Z', '12:00:00.12Z', '12:00:00.2Z', '12:00:01Z'];
  const instants = moments.map((moment) => instantOf(`2026-03-01T${moment}`));
  expect(instants.toSorted()).toEqual(instants);
  expect(new Set(instants).size).toBe(moments.length);
});

it('is a file of lines, each with its moment and its pod', () => {
  const buffer = new LogBuffer();
  buffer.add(chunk([line(1, 'one')], 3));
  expect(textOf(buffer.view())).toBe('2026-03-01T12:00:01.5Z tokyo/a one\n');
});
