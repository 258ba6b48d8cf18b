import { useMemo } from 'react';
import { useQuery } from 'urql';
import { InstanceKindsDocument, KindsDocument } from '../../graph/generated/graphql';
import { problemsOf } from '../../graph/problems';
import { kindsOf } from './kinds';

/** The kinds that an instance serves, or all of them together. Read once: they change seldom. */
export function useKinds(instance: string | undefined) {
  const [all, readAll] = useQuery({
    query: KindsDocument,
    requestPolicy: 'cache-first',
    pause: instance !== undefined,
  });
  const [of, readOf] = useQuery({
    query: InstanceKindsDocument,
    variables: useMemo(() => ({ instance: instance ?? '' }), [instance]),
    requestPolicy: 'cache-first',
    pause: instance === undefined,
  });
  const { data, error, fetching } = instance === undefined ? all : of;
  const kinds = useMemo(() => {
    if (!data) return null;
    const instances = 'instances' in data ? data.instances?.nodes : data.instance && [data.instance];
    return instances ? kindsOf(instances) : null;
  }, [data]);
  return {
    kinds: kinds?.length === 0 && error ? null : kinds,
    loading: fetching,
    problems: useMemo(() => problemsOf(error), [error]),
    retry: () =>
      instance === undefined
        ? readAll({ requestPolicy: 'network-only' })
        : readOf({ requestPolicy: 'network-only' }),
  };
}
