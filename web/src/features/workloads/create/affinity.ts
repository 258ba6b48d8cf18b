import type { TFunction } from 'i18next';
import type { Column, Row } from '../../../ui/form/RowsField';
import { column } from '../../../ui/form/RowsField';

const OPERATORS = [
  { value: 'IN', label: 'In' },
  { value: 'NOT_IN', label: 'NotIn' },
  { value: 'EXISTS', label: 'Exists' },
  { value: 'DOES_NOT_EXIST', label: 'DoesNotExist' },
  { value: 'GT', label: 'Gt' },
  { value: 'LT', label: 'Lt' },
];

function listOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? (value as Row[]) : [];
}

function rowOf(value: unknown): Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {};
}

/** The first condition of a term; the others stay as they are. */
function inFirst(inner: Column, at: 'term' | 'preference'): Column {
  const termOf = (row: Row) => (at === 'term' ? row : rowOf(row.preference));
  const firstOf = (row: Row) => rowOf(listOf(termOf(row).matchExpressions)[0]);
  return {
    ...inner,
    get: (row) => inner.get(firstOf(row)),
    set: (row, value) => {
      const [, ...others] = listOf(termOf(row).matchExpressions);
      const term = { ...termOf(row), matchExpressions: [inner.set(firstOf(row), value), ...others] };
      return at === 'term' ? term : { ...row, preference: term };
    },
    when: inner.when && ((row) => inner.when?.(firstOf(row)) ?? true),
  };
}

/** The inputs of a term of node affinity; a preferred one has a weight, too. */
export function nodeTermColumns(t: TFunction, preferred: boolean): Column[] {
  const at = preferred ? 'preference' : 'term';
  const conditions = [
    column('key', t('compose.key')),
    column('operator', t('compose.operator'), { options: OPERATORS }),
    column('values', t('compose.values'), {
      lines: true,
      when: ({ operator }) => operator !== 'EXISTS' && operator !== 'DOES_NOT_EXIST',
    }),
  ].map((inner) => inFirst(inner, at));
  return preferred ? [column('weight', t('compose.weight')), ...conditions] : conditions;
}
