import { Link, useRouterState } from '@tanstack/react-router';
import { Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useTerminalSession } from '../../app/terminal';
import type { InstanceRowFragment } from '../../graph/generated/graphql';

const Terminal = lazy(() => import('../../ui/terminal/Terminal'));

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The instance whose console somebody asked for here: an address that they were sent opens none by itself. */
    openConsole?: string;
  }
}

type Instance = Pick<InstanceRowFragment, 'name' | 'console'>;

/** The way to the console of an instance, where there is one. */
export function ConsoleLink({ instance: { name, console } }: { instance: Instance }) {
  const { t } = useTranslation();
  const session = useTerminalSession();
  if (!console.available) return null;
  if (!session.allowed) {
    return (
      <span className="muted small" data-not-allowed="console" title={session.reason}>
        {t('console.none')}
      </span>
    );
  }
  return (
    <Link
      to="."
      search={(before: object) => ({ ...before, console: name })}
      state={{ openConsole: name }}
      aria-label={t('console.of', { instance: name })}
    >
      {t('console.button')}
    </Link>
  );
}

/** A terminal with kubectl against an instance, as the viewer. */
export function InstanceConsole({ instance: { name, console } }: { instance: Instance }) {
  const { t } = useTranslation();
  const session = useTerminalSession();
  const wanted = useRouterState({ select: ({ location }) => location.state.openConsole === name });
  const missing = console.available ? session.reason : (console.reason ?? '');
  return (
    <section className="console" data-console={name}>
      <div className="console-head">
        <h3>{t('console.of', { instance: name })}</h3>
        <span className="page-gap" />
        <Link to="." search={(before: object) => ({ ...before, console: undefined })}>
          {t('app.close')}
        </Link>
      </div>
      {missing ? (
        <p className="muted">{missing}</p>
      ) : (
        <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
          <Terminal
            label={t('console.of', { instance: name })}
            path={`/instances/${encodeURIComponent(name)}/console`}
            begin={wanted}
          />
        </Suspense>
      )}
    </section>
  );
}
