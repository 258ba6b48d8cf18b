import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConnectionPage } from '../../ui/page/ConnectionPage';
import { AuditDrawer } from './AuditDrawer';
import { AuditFilters } from './AuditFilters';
import { useAuditColumns } from './columns';
import type { AuditRow } from './object';
import { isNarrowed } from './search';
import { useAudit } from './useAudit';

const idOf = ({ id }: AuditRow) => id;
const attributesOf = ({ id, action }: AuditRow) => ({ 'data-event': id, 'data-action': action });

/** The event that is looked at is on one page of the log. */
const OF_PAGE = { event: undefined };

/** Who did what, and how it ended. */
export function AuditPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/signed-in/audit' });
  const view = useAudit(search);
  const navigate = useNavigate();
  const columns = useAuditColumns();
  return (
    <ConnectionPage
      lead={t('audit.lead')}
      filters={<AuditFilters search={search} rows={view.rows ?? []} />}
      search={search}
      narrowed={isNarrowed(search)}
      view={view}
      texts={{
        empty: t('audit.empty'),
        emptyHint: t('audit.emptyHint'),
        none: t('audit.none'),
        noneHint: t('audit.noneHint'),
        badCursor: t('audit.badCursor'),
        keys: t('audit.keys'),
      }}
      table={{
        name: 'audit',
        label: t('audit.table'),
        columns,
        rowId: idOf,
        rowAttributes: attributesOf,
      }}
      picked={search.event}
      byTime
      ofPage={OF_PAGE}
    >
      <AuditDrawer
        event={view.rows?.find(({ id }) => id === search.event)}
        close={() =>
          void navigate({
            to: '/audit',
            search: (before) => ({ ...before, event: undefined }),
            replace: true,
          })
        }
      />
    </ConnectionPage>
  );
}
