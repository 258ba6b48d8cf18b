import { useState, useSyncExternalStore } from 'react';
import { SearchDocument } from '../../graph/generated/graphql';
import { problemsOf } from '../../graph/problems';
import { useGraph } from '../../graph/session';
import { KINDS } from '../kinds';
import type { FinderView } from './finder';
import { Finder, searchedOf } from './finder';

const WORKLOAD_KINDS = KINDS.map(({ kind }) => kind);
const MOST_READ = 50;

/** What a search of all instances and members finds. */
export function useFinder(): FinderView & { find: (typed: string) => void } {
  const { client } = useGraph();
  const [finder] = useState(
    () =>
      new Finder(async (text) => {
        const variables = { text, workloadKinds: WORKLOAD_KINDS, first: MOST_READ };
        const { data, error } = await client
          .query(SearchDocument, variables, { requestPolicy: 'network-only' })
          .toPromise();
        return { data: data ?? null, problems: problemsOf(error) };
      }),
  );
  const [listen] = useState(() => (listener: () => void) => finder.onChange(listener));
  const view = useSyncExternalStore(listen, () => finder.view);
  const [find] = useState(() => (typed: string) => finder.find(searchedOf(typed) ?? ''));
  return { ...view, find };
}
