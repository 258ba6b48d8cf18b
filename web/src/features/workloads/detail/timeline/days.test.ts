import { expect, it } from 'vitest';
import type { TimelineRowFragment } from '../../../../graph/generated/graphql';
import { daysOf } from './days';

const entry = (at: string): TimelineRowFragment => ({
  at,
  kind: 'EVENT',
  actor: null,
  clusterName: null,
  object: { kind: 'Deployment', namespace: 'shop', name: 'cart' },
  summary: at,
  changes: null,
});

it('entries of one day stand together, the newest first', () => {
  const days = daysOf(
    [entry('2026-01-02T12:30:00'), entry('2026-01-02T12:00:00'), entry('2026-01-01T12:00:00')],
    'en',
  );
  expect(days.map(({ date, entries }) => [date, entries.length])).toEqual([
    ['Friday, January 2, 2026', 2],
    ['Thursday, January 1, 2026', 1],
  ]);
});
