import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Segmented, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../../app/fleet';
import { isAdminOf } from '../../../app/permission';
import { useViewer } from '../../../app/viewer';
import { Blank } from '../../../ui/Notices';
import { PageHead } from '../../../ui/page/PageHead';
import { Operation } from '../operation/Operation';
import { useOperation } from '../operation/useOperation';
import '../texts/late';
import { Command } from './Command';
import { JoinForm } from './JoinForm';

/** The command of a joining: it is shown once, and lives as long as this page. */
interface Shown {
  operation: string;
  command: string;
}

/** Joins a member cluster to an instance, and follows how it joins. */
export function JoinPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/signed-in/join-cluster' });
  const { operation } = search;
  const [shown, setShown] = useState<Shown | null>(null);
  const navigate = useNavigate();
  const follow = (operation: string, command: string | null) => {
    setShown(command === null ? null : { operation, command });
    void navigate({ to: '/join-cluster', search: { ...search, operation } });
  };
  return (
    <div className="page form-page">
      <nav className="crumbs" aria-label={t('app.crumbs')}>
        <Link to="/clusters" search={{}}>
          {t('clusters.title')}
        </Link>
      </nav>
      <PageHead />
      {operation ? (
        <Joining id={operation} command={shown?.operation === operation ? shown.command : null} />
      ) : (
        <Form follow={follow} />
      )}
    </div>
  );
}

function Form({ follow }: { follow: (operation: string, command: string | null) => void }) {
  const { t } = useTranslation();
  const search = useSearch({ from: '/signed-in/join-cluster' });
  const navigate = useNavigate();
  const viewer = useViewer();
  const { instances } = useFleet();
  if (!viewer || !instances) return <Skeleton active title={false} paragraph={{ rows: 8 }} />;
  const offered = instances.map(({ name }) => name).filter((name) => isAdminOf(viewer, name));
  if (offered.length === 0) {
    return (
      <Blank title={t('join.notAllowed')} hint={t('join.notAllowedHint')}>
        <Link to="/clusters">{t('clusters.title')}</Link>
      </Blank>
    );
  }
  const pull = search.mode === 'pull';
  return (
    <>
      <Segmented<'push' | 'pull'>
        aria-label={t('clusters.mode')}
        value={pull ? 'pull' : 'push'}
        options={[
          { value: 'push', label: t('join.push') },
          { value: 'pull', label: t('join.pull') },
        ]}
        onChange={(mode) =>
          void navigate({
            to: '/join-cluster',
            search: { ...search, mode: mode === 'pull' ? mode : undefined },
            replace: true,
          })
        }
      />
      <JoinForm
        key={pull ? 'pull' : 'push'}
        pull={pull}
        instances={offered}
        instance={offered.find((name) => name === search.instance) ?? offered[0] ?? ''}
        close={() => void navigate({ to: '/clusters', search: { instance: search.instance } })}
        done={follow}
      />
    </>
  );
}

function Joining({ id, command }: { id: string; command: string | null }) {
  const { t } = useTranslation();
  const view = useOperation(id);
  const state = view.operation?.state;
  const waiting = state === undefined || state === 'PENDING' || state === 'RUNNING';
  return (
    <>
      {command !== null && waiting && <Command text={command} />}
      <Operation view={view}>
        {({ state, instanceName, clusterName }) => (
          <>
            {state === 'SUCCEEDED' && clusterName && (
              <Link
                to="/clusters/$instance/$cluster"
                params={{ instance: instanceName, cluster: clusterName }}
              >
                {t('join.toCluster', { name: clusterName })}
              </Link>
            )}
            <Link to="/join-cluster" search={{ instance: instanceName }}>
              {t(state === 'SUCCEEDED' ? 'join.another' : 'join.again')}
            </Link>
          </>
        )}
      </Operation>
    </>
  );
}
