import { useMemo } from 'react';
import { PAGE_SIZES } from '../../app/search';
import type { AuditEventsQuery } from '../../graph/generated/graphql';
import { AuditEventsDocument } from '../../graph/generated/graphql';
import { useConnection } from '../../ui/page/useConnection';
import type { AuditSearch } from './search';
import { filterOf } from './search';

const auditEvents = (data: AuditEventsQuery) => data.auditEvents;

export function useAudit(search: AuditSearch) {
  const filter = JSON.stringify(filterOf(search));
  const variables = useMemo(
    () => ({
      first: search.size ?? PAGE_SIZES[0],
      after: search.after ?? null,
      filter: JSON.parse(filter) as ReturnType<typeof filterOf>,
    }),
    [search.size, search.after, filter],
  );
  return useConnection({ document: AuditEventsDocument, variables, of: auditEvents });
}
