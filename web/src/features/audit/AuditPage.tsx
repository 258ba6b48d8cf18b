import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../app/page';
import { Blank, Failed, LoadingRows, Problems } from '../../ui/Notices';
import { Pager } from '../../ui/Pager';
import { DataTable } from '../../ui/table/DataTable';
import { AuditDrawer } from './AuditDrawer';
import { AuditFilters } from './AuditFilters';
import { useAuditColumns } from './columns';
import type { AuditRow } from './object';
import type { AuditSearch } from './search';
import { isNarrowed } from './search';
import type { AuditView } from './useAudit';
import { useAudit } from './useAudit';

const idOf = ({ id }: AuditRow) => id;
const attributesOf = ({ id, action }: AuditRow) => ({ 'data-event': id, 'data-action': action });

/** Who did what, and how it ended. */
export function AuditPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/signed-in/audit' });
  const view = useAudit(search);
  const navigate = useNavigate();
  const title = usePageTitle();

  return (
    <div className="page">
      <div className="page-head">
        <h1>{title}</h1>
        <span className="page-count">{t('audit.lead')}</span>
      </div>
      <AuditFilters search={search} rows={view.rows ?? []} />
      {view.rows && <Problems problems={view.problems} retry={view.retry} />}
      <Body view={view} search={search} />
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
    </div>
  );
}

function Body({ view, search }: { view: AuditView; search: AuditSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const columns = useAuditColumns();
  const { rows } = view;
  if (!rows) {
    if (view.loading) return <LoadingRows />;
    if (search.after && view.problems.some(({ code }) => code === 'BAD_USER_INPUT')) {
      return (
        <Blank title={t('audit.badCursor')} hint={view.problems[0]?.message}>
          <Button
            type="primary"
            onClick={() =>
              void navigate({ to: '/audit', search: (before) => ({ ...before, after: undefined }) })
            }
          >
            {t('pager.newest')}
          </Button>
        </Blank>
      );
    }
    return <Failed problems={view.problems} retry={view.retry} />;
  }
  if (rows.length === 0) {
    return isNarrowed(search) ? (
      <Blank title={t('audit.empty')} hint={t('audit.emptyHint')}>
        <Button onClick={() => void navigate({ to: '/audit', search: { instance: search.instance } })}>
          {t('filter.clear')}
        </Button>
      </Blank>
    ) : (
      <Blank title={t('audit.none')} hint={t('audit.noneHint')} />
    );
  }
  return (
    <>
      <DataTable
        name="audit"
        label={t('audit.table')}
        columns={columns}
        rows={rows}
        rowId={idOf}
        rowAttributes={attributesOf}
        loading={view.loading}
        picked={search.event}
        empty={null}
      />
      <Pager
        byTime
        shown={rows.length}
        keys={t('audit.keys')}
        size={search.size}
        after={search.after}
        endCursor={view.endCursor}
        hasNext={view.hasNext}
        go={(after, trail) =>
          void navigate({
            to: '/audit',
            search: (before) => ({ ...before, after, event: undefined }),
            state: { trail },
          })
        }
        resize={(size) =>
          void navigate({ to: '/audit', search: (before) => ({ ...before, size, after: undefined }) })
        }
      />
    </>
  );
}
