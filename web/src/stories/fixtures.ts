import type { FreshnessFieldsFragment } from '../graph/generated/graphql';
import type { Problem } from '../graph/problems';
import type { DataColumn } from '../ui/table/columns';

export interface Fruit {
  id: string;
  name: string;
  origin: string;
  crates: number | null;
}

const NAMES = ['apple', 'banana', 'cherry', 'date', 'elderberry', 'fig', 'grape', 'honeydew'];

export function fruit(count: number): Fruit[] {
  return Array.from({ length: count }, (_, index) => {
    const name = NAMES[index % NAMES.length] ?? '';
    return {
      id: String(index),
      name: index < NAMES.length ? name : `${name}-${index}`,
      origin: index % 2 ? 'asia / tokyo' : 'europe / frankfurt',
      crates: index % 5 === 4 ? null : (index * 37) % 100,
    };
  });
}

export const LONG: Fruit[] = [
  {
    id: 'long',
    name: 'a-name-of-as-many-characters-as-kubernetes-lets-somebody-choose-for-an-object-in-a-namespace',
    origin: 'a place whose description goes on for longer than any column is wide, and then a little more',
    crates: 1_234_567_890,
  },
  ...fruit(2),
];

export const COLUMNS: DataColumn<Fruit>[] = [
  { id: 'name', header: 'Name', namesRow: true, sortBy: ({ name }) => name, cell: ({ name }) => name },
  { id: 'origin', header: 'Origin', cell: ({ origin }) => origin },
  {
    id: 'crates',
    header: 'Crates',
    number: true,
    sortBy: ({ crates }) => crates,
    cell: ({ crates }) => crates ?? '–',
  },
];

export const TABLE = {
  name: 'fruit',
  label: 'Fruit',
  columns: COLUMNS,
  rowId: ({ id }: Fruit) => id,
};

export const UNREACHABLE: Problem = {
  code: 'UNAVAILABLE',
  message: 'instance "europe": its API server does not answer',
  instance: 'europe',
  retryable: true,
};

export const FORBIDDEN: Problem = { code: 'FORBIDDEN', message: 'forbidden', retryable: false };

export const STALE: FreshnessFieldsFragment = {
  state: 'STALE',
  message: 'the read store cannot reach tokyo',
  syncedAt: '2026-01-01T00:00:00Z',
};
