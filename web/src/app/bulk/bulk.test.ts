import { expect, it } from 'vitest';
import type { BulkOutcomes } from './bulk';
import { countsOf, runAll } from './bulk';

it('does it to one after the other, and tells what became of each', async () => {
  const told: BulkOutcomes[] = [];
  const begun: string[] = [];
  await runAll(
    [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    ({ id }) => {
      begun.push(id);
      // What is told while one is under way is of those before it.
      expect(told.at(-1)?.get(id)).toEqual({ state: 'waiting' });
      return Promise.resolve(id === 'b' ? { state: 'refused', why: 'protected' } : { state: 'done' });
    },
    (outcomes) => told.push(outcomes),
  );
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(told.map((outcomes) => countsOf(outcomes))).toEqual([
    { waiting: 3, done: 0, refused: 0 },
    { waiting: 2, done: 1, refused: 0 },
    { waiting: 1, done: 1, refused: 1 },
    { waiting: 0, done: 2, refused: 1 },
  ]);
  expect(told.at(-1)?.get('b')).toEqual({ state: 'refused', why: 'protected' });
});
