// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useToldAgain } from './useToldAgain';

afterEach(cleanup);

it('reads again when something else is told, once for all that is told while it reads', () => {
  const read = vi.fn();
  const { rerender } = renderHook(({ known, reading }) => useToldAgain(known, reading, read), {
    initialProps: { known: null as string | null, reading: true },
  });
  rerender({ known: null, reading: false });
  rerender({ known: 'a', reading: false });
  expect(read, 'what is told first was there already').not.toHaveBeenCalled();
  rerender({ known: 'b', reading: false });
  expect(read).toHaveBeenCalledTimes(1);
  rerender({ known: 'b', reading: true });
  rerender({ known: 'c', reading: true });
  rerender({ known: 'd', reading: true });
  expect(read).toHaveBeenCalledTimes(1);
  rerender({ known: 'd', reading: false });
  expect(read).toHaveBeenCalledTimes(2);
  rerender({ known: 'd', reading: false });
  expect(read).toHaveBeenCalledTimes(2);
});
