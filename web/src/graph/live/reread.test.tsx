// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useReread } from './reread';

afterEach(cleanup);

it.each<[string, (string | null)[], string | null, number]>([
  ['nothing was told yet', [null, null], 'a', 0],
  ['what is told first is what was read', [null, 'a'], 'a', 0],
  ['it changed before it was told', [null, 'b'], 'a', 1],
  ['what was read cannot be compared', [null, 'b'], null, 0],
  ['it changes', ['a', 'b', 'b', 'c'], 'a', 2],
  ['the feed begins again and tells the same', ['a', null, 'a'], 'a', 0],
  ['the feed begins again and tells another', ['a', null, 'b'], 'a', 1],
])('reads again when it has to: %s', (_, told, was, times) => {
  const read = vi.fn();
  const { rerender } = renderHook(({ now }) => useReread(now, was, read), {
    initialProps: { now: told[0] ?? null },
  });
  for (const now of told.slice(1)) rerender({ now });
  expect(read).toHaveBeenCalledTimes(times);
});
