import { expect, it } from 'vitest';
import { itemAfter } from './menu';

const LABELS = ['Restart', 'Change image', 'Reschedule', 'Delete'];

it.each([
  ['ArrowDown', -1, 0],
  ['ArrowDown', 0, 1],
  ['ArrowDown', 3, 0],
  ['ArrowUp', 0, 3],
  ['ArrowUp', 2, 1],
  ['Home', 2, 0],
  ['End', 0, 3],
  ['r', 0, 2],
  ['R', 2, 0],
  ['d', 0, 3],
  ['d', 3, 3],
  ['x', 0, null],
  [' ', 0, null],
  ['Enter', 0, null],
])('%s at %i leads to %s', (key, at, want) => {
  expect(itemAfter(key, at, LABELS)).toBe(want);
});

it('leads nowhere where there is nothing', () => {
  expect(itemAfter('ArrowDown', -1, [])).toBeNull();
});
