import { useSearch } from '@tanstack/react-router';
import type { Problem } from '../graph/problems';
import { NameFilter } from '../ui/NameFilter';
import { ConnectionPage } from '../ui/page/ConnectionPage';
import { Stale } from '../ui/Stale';
import type { Fruit } from './fixtures';
import { FORBIDDEN, fruit, LONG, STALE, TABLE, UNREACHABLE } from './fixtures';
import type { Story } from './story';

const TEXTS = {
  empty: 'No fruit matches',
  emptyHint: 'Loosen or clear the filters.',
  none: 'No fruit yet',
  noneHint: 'Plant a tree.',
  badCursor: 'This page of the list does not exist any more.',
  keys: 'Arrow keys move between rows',
};

interface FruitPageProps {
  rows?: readonly Fruit[] | null;
  loading?: boolean;
  problems?: readonly Problem[];
  stale?: boolean;
}

function FruitPage({ rows = fruit(5), loading = false, problems = [], stale = false }: FruitPageProps) {
  const search = useSearch({ strict: false });
  return (
    <ConnectionPage
      lead="5 kinds of fruit"
      filters={
        <search className="filters">
          <NameFilter name={search.name} change={() => {}} />
        </search>
      }
      stale={
        stale && (
          <Stale
            instances={[{ name: 'asia', freshness: STALE }]}
            unwatched={[{ instance: 'europe', problems: [UNREACHABLE] }]}
          />
        )
      }
      search={{ instance: search.instance, after: search.after }}
      narrowed={search.name !== undefined}
      view={{ rows, loading, problems, retry: () => {}, endCursor: 'c', hasNext: true }}
      texts={TEXTS}
      table={TABLE}
    />
  );
}

const story = (state: string, props: FruitPageProps, search?: string): Story => ({
  of: 'ConnectionPage',
  state,
  search,
  render: () => <FruitPage {...props} />,
});

const refused = (code: Problem['code']): Problem[] => [{ code, message: 'no', retryable: false }];

export const PAGE_STORIES: Story[] = [
  story('loading', { rows: null, loading: true }),
  story('empty', { rows: [] }),
  story('nothing matches', { rows: [] }, '?name=stone'),
  story('error', { rows: null, problems: [UNREACHABLE] }),
  story('partial', { problems: [UNREACHABLE] }),
  story('forbidden', { rows: null, problems: [FORBIDDEN] }),
  story('stale', { stale: true }),
  story('bad cursor', { rows: null, problems: refused('BAD_USER_INPUT') }, '?after=nonsense'),
  story('no such instance', { rows: null, problems: refused('NOT_FOUND') }, '?instance=atlantis'),
  story('rows', {}),
  story('long content', { rows: LONG }),
];
