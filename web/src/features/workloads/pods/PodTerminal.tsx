import { useRouterState } from '@tanstack/react-router';
import { Button, Input, Select, Skeleton } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Permit } from '../../../app/permission';
import type { PodRowFragment, WorkloadDetailFragment } from '../../../graph/generated/graphql';
import { containersOf, keyOfRow, podOfKey } from './pod';

const Terminal = lazy(() => import('../../../ui/terminal/Terminal'));

/** What runs where nothing else is said: every image that has a shell has this one. */
const SHELL = 'sh';

interface PodTerminalProps {
  /** The pod, as `cluster/pod`. */
  name: string;
  workload: WorkloadDetailFragment;
  instance: string;
  pods: readonly PodRowFragment[] | null;
  permit: Permit;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The pod whose terminal somebody asked for here: an address that they were sent opens none by itself. */
    openTerminal?: string;
  }
}

/** A terminal in a container of a pod. */
export function PodTerminal({ name, workload, instance, pods, permit }: PodTerminalProps) {
  const { t } = useTranslation();
  const wanted = useRouterState({ select: ({ location }) => location.state.openTerminal === name });
  const pod = podOfKey(name);
  const row = pods?.find((pod) => keyOfRow(pod) === name);
  const containers = row ? containersOf([row]) : [];
  const [picked, setPicked] = useState<string>();
  const [typed, setTyped] = useState(SHELL);
  const [command, setCommand] = useState(SHELL);
  const container = picked ?? containers[0];

  if (permit.allowed === false) return <p className="muted">{permit.reason}</p>;
  if (!pods || !permit.allowed || !pod) return <Skeleton active paragraph={{ rows: 8 }} />;
  if (!row || !container) return <p className="muted">{t('pods.gone', { pod: pod.pod })}</p>;

  const path = pathOf(instance, workload.namespace, pod, container, command);
  const words = typed.trim();
  return (
    <>
      <div className="filters">
        <strong>{name}</strong>
        <Select
          popupMatchSelectWidth={false}
          aria-label={t('log.container')}
          value={container}
          options={containers.map((value) => ({ value, label: value }))}
          onChange={setPicked}
        />
        <Input
          className="terminal-command"
          aria-label={t('pods.command')}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
          onPressEnter={() => words && setCommand(words)}
        />
        <Button disabled={!words || words === command} onClick={() => setCommand(words)}>
          {t('pods.run')}
        </Button>
      </div>
      <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
        <Terminal
          key={path}
          label={t('pods.terminalOf', { pod: pod.pod })}
          path={path}
          begin={wanted || command !== SHELL || picked !== undefined}
        />
      </Suspense>
    </>
  );
}

/** Where a command runs in a container, with a terminal. */
export function pathOf(
  instance: string,
  namespace: string,
  { cluster, pod }: { cluster: string; pod: string },
  container: string,
  command: string,
): string {
  const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', tty: 'true' });
  for (const word of command.split(/\s+/)) query.append('command', word);
  const [of, member, space, name] = [instance, cluster, namespace, pod].map(encodeURIComponent);
  return `/instances/${of}/clusters/${member}/api/v1/namespaces/${space}/pods/${name}/exec?${query}`;
}
