import { Link, Outlet, useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLinkState } from '../graph/session';
import { toneOfState } from '../workloads/verdict';
import { ToneIcon } from '../ui/tone';
import { AuditIcon, ClustersIcon, GraphiQLIcon, Logo, WorkloadsIcon } from './icons';
import { NoRole } from './dead-ends';
import { useFleet } from './fleet';
import { useHasNoRole, useMayAudit, useViewer } from './viewer';
import { ViewerMenu } from './ViewerMenu';

/** What stays while pages change: where one can go, which instance is looked at, who looks. */
export function Shell() {
  const { t } = useTranslation();
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t('app.skip')}
      </a>
      <Navigation />
      <div className="shell-main">
        <header className="topbar">
          <InstanceSwitch />
          <span className="topbar-gap" />
          <LinkMark />
          <ViewerMenu />
        </header>
        <main id="content" tabIndex={-1}>
          <Content />
        </main>
      </div>
    </div>
  );
}

/** Who has no role has nothing to see: they are told so once, and not by each page anew. */
function Content() {
  return useHasNoRole() ? <NoRole /> : <Outlet />;
}

function Navigation() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const mayAudit = useMayAudit();
  const { instance } = useSearch({ strict: false });
  const search = instance ? { instance } : {};
  return (
    <nav className="nav" aria-label={t('app.navigation')}>
      <Link to="/workloads" className="nav-brand" search={{}}>
        <Logo />
        <span>{t('app.name')}</span>
      </Link>
      <Link to="/workloads" className="nav-link" search={search} activeOptions={{ includeSearch: false }}>
        <WorkloadsIcon />
        <span>{t('app.workloads')}</span>
      </Link>
      <Link to="/clusters" className="nav-link" search={search} activeOptions={{ includeSearch: false }}>
        <ClustersIcon />
        <span>{t('app.clusters')}</span>
      </Link>
      {mayAudit && (
        <Link to="/audit" className="nav-link" search={search} activeOptions={{ includeSearch: false }}>
          <AuditIcon />
          <span>{t('app.audit')}</span>
        </Link>
      )}
      {/* Its own document, in this tab: a token lives in the tab. */}
      {viewer?.introspection && (
        <a href="/graphiql" className="nav-link">
          <GraphiQLIcon />
          <span>{t('app.graphiql')}</span>
        </a>
      )}
    </nav>
  );
}

const ALL = '';

/** Pages that one instance can be picked on. */
const PLACES = ['/clusters', '/audit'] as const;

function InstanceSwitch() {
  const { t } = useTranslation();
  const { instances } = useFleet();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { instance } = useSearch({ strict: false });
  const detail = /^\/workloads\/([^/]+)\//.exec(path)?.[1];
  const shown = instance ?? (detail ? decodeURIComponent(detail) : ALL);

  const options = [
    { value: ALL, label: <span className="instance-option">{t('app.allInstances')}</span> },
    ...(instances ?? []).map(({ name, displayName, state }) => ({
      value: name,
      label: (
        <span className="instance-option" title={t(`state.${state}`)}>
          <ToneIcon tone={toneOfState(state)} />
          <span>{name}</span>
          {displayName && displayName !== name && <span className="muted">{displayName}</span>}
        </span>
      ),
    })),
  ];
  if (shown !== ALL && !options.some(({ value }) => value === shown)) {
    options.push({ value: shown, label: <span className="instance-option">{shown}</span> });
  }

  return (
    <Select
      className="instance-switch"
      aria-label={t('app.instance')}
      value={shown}
      options={options}
      popupMatchSelectWidth={false}
      onChange={(value) => {
        const to = PLACES.find((place) => path.startsWith(place)) ?? '/workloads';
        // A cursor belongs to the list it was read from.
        void navigate({
          to,
          search: (before: Record<string, unknown>) => ({
            ...(to === path ? before : {}),
            instance: value || undefined,
            after: undefined,
          }),
        });
      }}
    />
  );
}

function LinkMark() {
  const { t } = useTranslation();
  const state = useLinkState();
  return (
    <span className={`link-mark is-${state}`} role="status" title={t(`link.${state}Hint`)}>
      <span className="dot" aria-hidden="true" />
      <span className="link-word">{t(`link.${state}`)}</span>
    </span>
  );
}
