import { Link, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../app/permission';
import type { PodRowFragment, WorkloadDetailFragment } from '../../../graph/generated/graphql';
import { Stale } from '../../../ui/Stale';
import { DataTable } from '../../../ui/table/DataTable';
import { FROM, ROUTE } from '../detail/route';
import { usePodColumns } from './columns';
import { LogPanel } from './log/LogPanel';
import { Missing } from '../../../app/pods/Missing';
import { keyOfRow } from './pod';
import { PodTerminal } from './PodTerminal';
import { CLOSED, MOST_PODS } from './search';
import { usePods } from '../../../app/pods/usePods';
import { useTerminalPermission } from './useTerminalPermission';

interface PodsTabProps {
  workload: WorkloadDetailFragment;
  instance: string;
}

const idOf = ({ id }: PodRowFragment) => id;
const attributesOf = ({ name, cluster }: PodRowFragment) => ({
  'data-pod': name,
  'data-pod-cluster': cluster?.name,
});

/** The pods of a workload in every member, and what they say. A default export, so that it is fetched when wanted. */
export default function PodsTab({ workload, instance }: PodsTabProps) {
  const { t } = useTranslation();
  const search = useSearch({ from: FROM });
  const { namespace } = workload;
  const log = usePermission({ instance, verb: 'GET', group: '', resource: 'pods/log', namespace });
  const terminal = useTerminalPermission(instance, namespace);
  const rights = useMemo(
    () => ({ log, terminal }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- by what they say: they are other objects each time
    [log.allowed, log.reason, terminal.allowed, terminal.reason],
  );
  const columns = usePodColumns(rights);
  const view = usePods(workload.id);
  const { cluster } = search;
  const all = view.pods;
  const pods = useMemo(
    () => (cluster && all ? all.filter((pod) => pod.cluster?.name === cluster) : all),
    [all, cluster],
  );
  const ready = pods?.filter(({ ready }) => ready).length ?? 0;

  return (
    <section className="pods">
      <Stale unwatched={[{ instance, problems: view.problems }]} />
      <Missing missing={view.missing} limited={view.limited} />
      {search.log || search.terminal ? (
        <>
          <Link from={ROUTE} to="." search={(before) => ({ ...before, ...CLOSED })} className="pods-back">
            {t('pods.back')}
          </Link>
          {search.terminal ? (
            <PodTerminal
              key={search.terminal}
              name={search.terminal}
              workload={workload}
              instance={instance}
              pods={pods}
              permit={terminal}
            />
          ) : log.allowed === false ? (
            <p className="muted">{log.reason}</p>
          ) : (
            pods && <LogPanel workload={workload} pods={pods} search={search} />
          )}
        </>
      ) : (
        <>
          <div className="pods-head">
            <span className="muted" role="status">
              {pods && t('pods.readyOf', { ready, count: pods.length })}
            </span>
            {cluster && (
              <span className="only-cluster">
                {t('pods.only', { cluster })}{' '}
                <Link from={ROUTE} to="." search={(before) => ({ ...before, cluster: undefined })} replace>
                  {t('pods.all')}
                </Link>
              </span>
            )}
            <span className="page-gap" />
            {log.allowed === false && <NotAllowed of="log" reason={log.reason} />}
            {terminal.allowed === false && <NotAllowed of="terminal" reason={terminal.reason} />}
            {log.allowed && pods && pods.length > 1 && (
              <Link
                from={ROUTE}
                to="."
                search={(before) => ({ ...before, log: pods.slice(0, MOST_PODS).map(keyOfRow) })}
              >
                {t('pods.logOfAll')}
              </Link>
            )}
          </div>
          <DataTable
            name="pods"
            label={t('pods.table', { name: workload.name })}
            columns={columns}
            rows={pods}
            loading={view.problems.length === 0}
            problems={view.problems}
            rowId={idOf}
            rowAttributes={attributesOf}
            empty={<p className="muted">{t(view.missing.length > 0 ? 'pods.noneSeen' : 'pods.none')}</p>}
          />
        </>
      )}
    </section>
  );
}

function NotAllowed({ of, reason }: { of: 'log' | 'terminal'; reason: string }) {
  const { t } = useTranslation();
  return (
    <span className="muted small" data-not-allowed={of}>
      {t(of === 'log' ? 'pods.noLog' : 'pods.noTerminal', { reason })}
    </span>
  );
}
