import { Link, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { resourceOf } from '../../../../app/kinds';
import { usePermission } from '../../../../app/permission';
import type {
  RevisionRowFragment,
  WorkloadDetailFragment,
  WorkloadKind,
} from '../../../../graph/generated/graphql';
import { Age } from '../../../../ui/Age';
import { FieldChanges } from '../../../../ui/diff/FieldChanges';
import { Problems } from '../../../../ui/Notices';
import { Stale } from '../../../../ui/Stale';
import type { DataColumn } from '../../../../ui/table/columns';
import { DataTable } from '../../../../ui/table/DataTable';
import { StateBadge } from '../../../../ui/tone';
import { FROM, ROUTE } from '../route';
import { Compared } from './Compared';
import { Rollback } from './Rollback';
import { useRevisions } from './useRevisions';

interface RevisionsTabProps {
  workload: WorkloadDetailFragment;
  kind: WorkloadKind;
  instance: string;
}

const idOf = ({ revision }: RevisionRowFragment) => String(revision);
const attributesOf = ({ revision }: RevisionRowFragment) => ({ 'data-revision': String(revision) });

/** What the pod template was, what each change of it was, and the way back. A default export, fetched when wanted. */
export default function RevisionsTab({ workload, kind, instance }: RevisionsTabProps) {
  const { t } = useTranslation();
  const { revision: picked } = useSearch({ from: FROM });
  const { id, namespace, name } = workload;
  const view = useRevisions({ id, instance, namespace, name });
  const current = view.rows?.find(({ state }) => state === 'CURRENT');
  const permit = usePermission({ instance, verb: 'PATCH', ...resourceOf(kind), namespace });
  const columns = useRevisionColumns(workload, current, picked, permit.allowed === true);
  return (
    <section className="revisions-tab">
      {view.rows && <Problems problems={view.problems} retry={view.retry} />}
      <Stale unwatched={[{ instance, problems: view.liveProblems }]} />
      {permit.allowed === false && (
        <p className="muted small" data-not-allowed="rollback" title={permit.reason}>
          {t('revisions.notAllowed')}
        </p>
      )}
      <DataTable
        {...view}
        name="revisions"
        label={t('revisions.table', { name })}
        columns={columns}
        rowId={idOf}
        rowAttributes={attributesOf}
        picked={picked}
        detail={(row) => <RevisionDetail row={row} current={current} />}
        empty={<p className="muted">{t('revisions.none')}</p>}
      />
    </section>
  );
}

function useRevisionColumns(
  workload: WorkloadDetailFragment,
  current: RevisionRowFragment | undefined,
  picked: string | undefined,
  allowed: boolean,
) {
  const { t } = useTranslation();
  return useMemo(
    (): DataColumn<RevisionRowFragment>[] => [
      {
        id: 'revision',
        header: t('revisions.revision'),
        namesRow: true,
        cell: (row) => <Unfold row={row} open={idOf(row) === picked} />,
      },
      {
        id: 'state',
        header: t('revisions.state'),
        cell: ({ state }) =>
          state && (
            <StateBadge tone={state === 'CURRENT' ? 'ok' : 'idle'}>
              {t(`revisions.states.${state}`)}
            </StateBadge>
          ),
      },
      { id: 'age', header: t('revisions.created'), cell: ({ createdAt }) => <Age since={createdAt} /> },
      {
        id: 'images',
        header: t('workload.images'),
        cell: ({ images }) =>
          images.map((image) => (
            <div key={image} className="mono wrap">
              {image}
            </div>
          )),
      },
      {
        id: 'changed',
        header: t('revisions.changed'),
        cell: ({ changes, changeCause }) => (
          <>
            {changeCause && <div className="wrap">{changeCause}</div>}
            <span className="muted">
              {changes === null ? t('revisions.oldest') : t('revisions.fields', { count: changes.length })}
            </span>
          </>
        ),
      },
      {
        id: 'rollback',
        header: t('revisions.actions'),
        cell: (row) =>
          allowed &&
          current &&
          row.state === 'PAST' && <Rollback workload={workload} current={current} to={row} />,
      },
    ],
    [t, workload, current, picked, allowed],
  );
}

function Unfold({ row: { revision }, open }: { row: RevisionRowFragment; open: boolean }) {
  const { t } = useTranslation();
  return (
    <Link
      from={ROUTE}
      to="."
      search={(before) => ({ ...before, revision: open ? undefined : String(revision) })}
      replace
      resetScroll={false}
      className="name unfold"
      aria-expanded={open}
      aria-label={t('revisions.unfold', { revision })}
    >
      <span className="unfold-mark" aria-hidden="true">
        {open ? '▾' : '▸'}
      </span>
      {revision}
    </Link>
  );
}

interface RevisionDetailProps {
  row: RevisionRowFragment;
  current: RevisionRowFragment | undefined;
}

function RevisionDetail({ row, current }: RevisionDetailProps) {
  const { t } = useTranslation();
  const { revision, changes, state } = row;
  return (
    <div className="target-parts" data-revision-detail={revision}>
      <section className="target-part">
        <h3>{t('revisions.changes')}</h3>
        {changes && changes.length > 0 ? (
          <FieldChanges changes={changes} label={t('revisions.changes')} />
        ) : (
          <p className="muted">{t(changes ? 'revisions.order' : 'revisions.oldest')}</p>
        )}
      </section>
      {current && state === 'PAST' && (
        <section className="target-part is-wide">
          <h3>{t('revisions.compared', { from: revision, to: current.revision })}</h3>
          <Compared from={row} to={current} />
        </section>
      )}
    </div>
  );
}
