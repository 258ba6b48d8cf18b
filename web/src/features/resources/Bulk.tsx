import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { BulkBar } from '../../app/bulk/BulkBar';
import { BulkDelete, MOST_DELETED } from '../../app/bulk/BulkDelete';
import { DeletableNamespacesDocument } from '../../graph/generated/graphql';
import type { ServedKind } from './kinds';
import type { Row } from './where';

interface BulkProps {
  chosen: readonly Row[];
  served: ServedKind | undefined;
  clear: () => void;
}

/** What can be done to all rows that are chosen. */
export function Bulk({ chosen, served, clear }: BulkProps) {
  const { t } = useTranslation();
  // The rows as they were chosen: those that are deleted leave the list.
  const [taken, setTaken] = useState<readonly Row[] | null>(null);
  const none = useNowhereDeletable(chosen[0]?.instance?.name, served);
  return (
    <>
      <BulkBar count={chosen.length} clear={clear}>
        {none ? (
          <span className="muted">{t('resources.mayNotDelete', { kind: served?.kind ?? '' })}</span>
        ) : chosen.length > MOST_DELETED ? (
          <span className="muted">{t('bulk.tooMany', { most: MOST_DELETED })}</span>
        ) : (
          <Button danger size="small" aria-haspopup="dialog" onClick={() => setTaken(chosen)}>
            {t('deletion.button')}
          </Button>
        )}
      </BulkBar>
      {taken && <BulkDelete rows={taken} close={() => setTaken(null)} />}
    </>
  );
}

/** Whether the viewer may delete such objects in no namespace at all. */
function useNowhereDeletable(instance: string | undefined, served: ServedKind | undefined): boolean {
  const [{ data }] = useQuery({
    query: DeletableNamespacesDocument,
    variables: { instance: instance ?? '', group: served?.group ?? '', resource: served?.name ?? '' },
    requestPolicy: 'cache-first',
    pause: instance === undefined || !served,
  });
  return data?.instance?.access.namespaces?.length === 0;
}
