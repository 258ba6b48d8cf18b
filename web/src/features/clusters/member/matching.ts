import type { ClusterEnablementsQuery } from '../../../graph/generated/graphql';

export type API = NonNullable<
  NonNullable<ClusterEnablementsQuery['instance']>['cluster']
>['apiEnablements'][number];

/** Those whose group or version contains a text, with all their kinds; of the others, the kinds that contain it. */
export function matching(all: readonly API[], name: string | undefined): API[] {
  const wanted = name?.toLowerCase();
  if (!wanted) return [...all];
  return all
    .map((api) =>
      api.groupVersion.toLowerCase().includes(wanted)
        ? api
        : { ...api, kinds: api.kinds.filter((kind) => kind.toLowerCase().includes(wanted)) },
    )
    .filter(({ kinds }) => kinds.length > 0);
}
