import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { PodRowFragment } from '../../../graph/generated/graphql';
import type { Rights } from './columns';
import { keyOfRow } from './pod';
import { CLOSED } from './search';

const ROUTE = '/workloads/$instance/$namespace/$kind/$name';

/** The ways into a pod that the viewer has. */
export function Into({ pod, rights: { log, terminal } }: { pod: PodRowFragment; rights: Rights }) {
  const { t } = useTranslation();
  const key = keyOfRow(pod);
  return (
    <span className="into">
      {log.allowed && (
        <Link
          from={ROUTE}
          to="."
          search={(before) => ({ ...before, ...CLOSED, tab: 'pods', log: [key] })}
          aria-label={t('pods.logOf', { pod: pod.name })}
        >
          {t('pods.log')}
        </Link>
      )}
      {terminal.allowed && pod.phase === 'RUNNING' && (
        <Link
          from={ROUTE}
          to="."
          search={(before) => ({ ...before, ...CLOSED, tab: 'pods', terminal: key })}
          state={{ openTerminal: key }}
          aria-label={t('pods.terminalOf', { pod: pod.name })}
        >
          {t('pods.terminal')}
        </Link>
      )}
    </span>
  );
}
