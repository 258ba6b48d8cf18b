import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ROUTE } from './route';
import type { Tab } from './search';
import { TABS, tabSearch } from './search';
import { TAB_OPTIONS } from './tabs';

interface TabsProps {
  name: string;
  kind: string;
  cluster?: string;
}

/** The tabs of a workload, each with an address of its own. The cluster that is looked at goes along. */
export function Tabs({ name, kind, cluster }: TabsProps) {
  const { t } = useTranslation();
  return (
    <nav className="tabs" aria-label={name}>
      <Link from={ROUTE} to="." search={tabSearch(undefined, cluster)} activeOptions={TAB_OPTIONS}>
        {t('workload.overview')}
      </Link>
      {TABS.filter((tab) => has(kind, tab)).map((tab) => (
        <Link
          key={tab}
          from={ROUTE}
          to="."
          search={tabSearch(tab, cluster)}
          activeOptions={{ ...TAB_OPTIONS, exact: false }}
        >
          {t(`tab.${tab}`)}
        </Link>
      ))}
    </nav>
  );
}

/** A Job's template never changes: it has no revisions. */
function has(kind: string, tab: Tab): boolean {
  return tab !== 'revisions' || kind !== 'Job';
}
