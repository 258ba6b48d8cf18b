// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useSelection } from './selection';

afterEach(cleanup);

const A = [{ id: 'a' }, { id: 'b' }];

it('chooses one, all and none; what is gone is not chosen any more', () => {
  const { result, rerender } = renderHook(({ rows }) => useSelection(rows), { initialProps: { rows: A } });
  expect([result.current.ids.size, result.current.all]).toEqual([0, false]);
  act(() => result.current.toggle('a'));
  expect([...result.current.ids]).toEqual(['a']);
  act(() => result.current.toggleAll());
  expect([result.current.ids.size, result.current.all]).toEqual([2, true]);
  rerender({ rows: [{ id: 'b' }] });
  expect([[...result.current.ids], result.current.all]).toEqual([['b'], true]);
  act(() => result.current.toggleAll());
  expect([result.current.ids.size, result.current.all]).toEqual([0, false]);
});

it('has nothing to choose where nothing is there', () => {
  const { result } = renderHook(() => useSelection(null));
  expect(result.current.all).toBe(false);
});
