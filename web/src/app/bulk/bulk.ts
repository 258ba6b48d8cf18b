// What is done to several objects, one after the other.

/** What became of one of them. */
export type BulkOutcome = { state: 'waiting' | 'done' } | { state: 'refused'; why: string };

export type BulkOutcomes = ReadonlyMap<string, BulkOutcome>;

/** Does it to each in turn, and tells after each how far it is. One that is refused keeps none of the others. */
export async function runAll<Row extends { id: string }>(
  rows: readonly Row[],
  run: (row: Row) => Promise<Exclude<BulkOutcome, { state: 'waiting' }>>,
  tell: (outcomes: BulkOutcomes) => void,
): Promise<void> {
  let told: BulkOutcomes = new Map(rows.map(({ id }) => [id, { state: 'waiting' }]));
  tell(told);
  for (const row of rows) {
    const outcome = await run(row);
    told = new Map(told).set(row.id, outcome);
    tell(told);
  }
}

/** How many came to what. */
export function countsOf(outcomes: BulkOutcomes): Record<BulkOutcome['state'], number> {
  const counts = { waiting: 0, done: 0, refused: 0 };
  for (const { state } of outcomes.values()) counts[state] += 1;
  return counts;
}
