// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useAsOf } from './asOf';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('is the moment at which reading ended, and outdated once something else is known', () => {
  vi.useFakeTimers({ now: 1_000 });
  const { result, rerender } = renderHook(({ loading, known }) => useAsOf(loading, known), {
    initialProps: { loading: true, known: 3 },
  });
  expect(result.current).toBeUndefined();
  rerender({ loading: false, known: 3 });
  expect(result.current).toEqual({ at: 1_000, outdated: false });

  vi.setSystemTime(2_000);
  rerender({ loading: false, known: 4 });
  expect(result.current).toEqual({ at: 1_000, outdated: true });
  rerender({ loading: true, known: 4 });
  rerender({ loading: false, known: 4 });
  expect(result.current).toEqual({ at: 2_000, outdated: false });
});
