import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLinkState } from '../graph/session';
import { toneOfState } from '../ui/tones';
import { ToneIcon } from '../ui/tone';
import { NoRole } from './dead-ends';
import { useFleet } from './fleet';
import { Logo } from './icons';
import type { Entry } from './navigation';
import { useNavigation } from './navigation';
import { usePage, useWindowTitle } from './page';
import { usePermission } from './permission';
import { useHasNoRole } from './viewer';
import { usePrefetch } from './usePrefetch';
import { Shortcuts } from './Shortcuts';
import { ViewerMenu } from './ViewerMenu';

/** What stays while pages change: where one can go, which instance is looked at, who looks. */
export function Shell() {
  const { t } = useTranslation();
  useWindowTitle();
  usePrefetch();
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t('app.skip')}
      </a>
      <Navigation />
      <div className="shell-main">
        <header className="topbar">
          <InstanceSwitch />
          {!useHasNoRole() && <Shortcuts />}
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
  const entries = useNavigation();
  return (
    <nav className="nav" aria-label={t('app.navigation')}>
      <Link to="/" className="nav-brand" search={{}}>
        <Logo />
        <span>{t('app.name')}</span>
      </Link>
      {entries.map((entry) => (
        <NavigationLink key={entry.path} entry={entry} />
      ))}
    </nav>
  );
}

function NavigationLink({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const { allowed } = usePermission(entry.permission);
  const { instance } = useSearch({ strict: false });
  if (!allowed) return null;
  const content = (
    <>
      <entry.Icon />
      <span>{t(entry.label)}</span>
    </>
  );
  // In this tab: a token lives in the tab.
  if (entry.document) {
    return (
      <a href={entry.path} className="nav-link">
        {content}
      </a>
    );
  }
  return (
    <Link
      to={entry.path}
      className="nav-link"
      search={instance ? { instance } : {}}
      activeOptions={{ includeSearch: false, exact: entry.path === '/' }}
    >
      {content}
    </Link>
  );
}

const ALL = '';

function InstanceSwitch() {
  const { t } = useTranslation();
  const { instances } = useFleet();
  const navigate = useNavigate();
  const page = usePage();
  const picked = useSearch({ strict: false }).instance;
  const within = useParams({ strict: false }).instance;
  const shown = picked ?? within ?? ALL;

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
        const instance = value || undefined;
        if (!page?.byInstance) {
          void navigate({ to: '/', search: { instance } });
          return;
        }
        // A cursor belongs to the list it was read from.
        void navigate({
          to: '.',
          search: (before: Record<string, unknown>) => ({ ...before, instance, after: undefined }),
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
