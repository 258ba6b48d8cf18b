import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { DeletableNamespacesDocument } from '../../graph/generated/graphql';
import { BulkDelete } from './BulkDelete';
import type { ServedKind } from './kinds';
import type { Row } from './where';

/** As many deletions as the server previews at once. */
const MOST = 20;

interface BulkProps {
  chosen: readonly Row[];
  served: ServedKind | undefined;
  clear: () => void;
}

/** What can be done to all rows that are chosen. */
export function Bulk({ chosen, served, clear }: BulkProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  // The rows as they were chosen: those that are deleted leave the list.
  const [taken, setTaken] = useState<readonly Row[]>([]);
  const none = useNowhereDeletable(chosen[0]?.instance?.name, served);
  if (chosen.length === 0 && !open) return null;
  return (
    <div className="bulk" role="region" aria-label={t('resources.bulk')}>
      <strong>{t('resources.chosen', { count: chosen.length })}</strong>
      {none ? (
        <span className="muted">{t('resources.mayNotDelete', { kind: served?.kind ?? '' })}</span>
      ) : chosen.length > MOST ? (
        <span className="muted">{t('resources.tooMany', { most: MOST })}</span>
      ) : (
        <Button
          danger
          size="small"
          aria-haspopup="dialog"
          onClick={() => {
            setTaken(chosen);
            setOpen(true);
          }}
        >
          {t('deletion.button')}
        </Button>
      )}
      <Button size="small" type="text" onClick={clear}>
        {t('resources.clearChosen')}
      </Button>
      {open && (
        <BulkDelete
          rows={taken}
          close={() => {
            setOpen(false);
            clear();
          }}
        />
      )}
    </div>
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
