import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../../app/fleet';
import { usePageTitle } from '../../../app/page';
import { FreshnessMark, freshnessHint, isOld } from '../../../ui/Freshness';
import { Blank, Failed, LoadingRows, Problems } from '../../../ui/Notices';
import { Pager } from '../../../ui/Pager';
import { DataTable } from '../../../ui/table/DataTable';
import { ChipCard } from './ChipCard';
import { useWorkloadColumns } from './columns';
import { Filters } from './Filters';
import type { Row } from './page';
import type { WorkloadsSearch } from './search';
import type { WorkloadsView } from './useWorkloads';
import { useWorkloads } from './useWorkloads';

const idOf = ({ id }: Row) => id;
const attributesOf = ({ id }: Row) => ({ 'data-workload': id });

export function WorkloadsPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/signed-in/workloads' });
  const view = useWorkloads(search);
  const title = usePageTitle();

  return (
    <div className="page">
      <div className="page-head">
        <h1>{title}</h1>
        <span className="page-count" aria-live="polite">
          {view.totalCount !== null && t('workloads.total', { count: view.totalCount })}
        </span>
      </div>
      <Filters search={search} rows={view.page.rows} />
      {view.loaded && <Problems problems={view.problems} retry={view.retry} />}
      <Doubts view={view} search={search} />
      <Body view={view} search={search} />
    </div>
  );
}

function Body({ view, search }: { view: WorkloadsView; search: WorkloadsSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const columns = useWorkloadColumns(!search.instance);
  const toFirst = () =>
    void navigate({ to: '/workloads', search: (before) => ({ ...before, after: undefined }) });

  if (!view.loaded) {
    if (view.loading) return <LoadingRows />;
    if (search.after && view.problems.some((problem) => problem.code === 'BAD_USER_INPUT')) {
      return (
        <Blank title={t('workloads.badCursor')} hint={view.problems[0]?.message}>
          <Button type="primary" onClick={toFirst}>
            {t('pager.first')}
          </Button>
        </Blank>
      );
    }
    if (search.instance && view.problems.some((problem) => problem.code === 'NOT_FOUND')) {
      return (
        <Blank
          title={t('workload.noInstance', { instance: search.instance })}
          hint={t('workload.noInstanceHint')}
        >
          <Link to="/workloads" search={{}}>
            {t('app.allInstances')}
          </Link>
        </Blank>
      );
    }
    return <Failed problems={view.problems} retry={view.retry} />;
  }
  if (view.page.rows.length === 0) {
    const filtered = search.kind ?? search.namespace ?? search.name;
    return filtered ? (
      <Blank title={t('workloads.empty')} hint={t('workloads.emptyHint')}>
        <Button onClick={() => void navigate({ to: '/workloads', search: { instance: search.instance } })}>
          {t('filter.clear')}
        </Button>
      </Blank>
    ) : (
      <Blank title={t('workloads.none')} hint={t('workloads.noneHint')} />
    );
  }
  return (
    <>
      <ChipCard rows={view.page.rows}>
        <DataTable
          name="workloads"
          label={t('workloads.table')}
          columns={columns}
          rows={view.page.rows}
          rowId={idOf}
          rowAttributes={attributesOf}
          loading={view.loading}
          empty={null}
        />
      </ChipCard>
      <Pager
        shown={view.page.rows.length}
        keys={t('workloads.keys')}
        size={search.size}
        after={search.after}
        endCursor={view.endCursor}
        hasNext={view.window.hasNext}
        go={(after, trail) =>
          void navigate({
            to: '/workloads',
            search: (before) => ({ ...before, after }),
            state: { trail },
          })
        }
        resize={(size) =>
          void navigate({ to: '/workloads', search: (before) => ({ ...before, size, after: undefined }) })
        }
      />
    </>
  );
}

/** Instances whose rows are not to be trusted as they stand, and why. */
function Doubts({ view, search }: { view: WorkloadsView; search: WorkloadsSearch }) {
  const { t } = useTranslation();
  const { instances } = useFleet();
  const old = (instances ?? []).filter(
    ({ name, freshness }) => isOld(freshness) && (!search.instance || search.instance === name),
  );
  if (view.unwatched.length === 0 && old.length === 0) return null;
  return (
    <div className="unwatched" role="status">
      {old.map(({ name, freshness }) => (
        <p key={name} data-doubt={name}>
          <FreshnessMark freshness={freshness} /> <strong>{name}</strong>{' '}
          {freshness && t(freshnessHint(freshness.state))} <span className="muted">{freshness?.message}</span>
        </p>
      ))}
      {view.unwatched.map(({ instance, problems }) => (
        <p key={instance}>
          {t('problem.live', { instance })} <span className="muted">{problems[0]?.message}</span>
        </p>
      ))}
    </div>
  );
}
