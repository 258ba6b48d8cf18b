import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

const SHOWN = { includeSearch: false };
const TAB_OPTIONS = { exact: true, includeSearch: true };

interface TabsProps<Tab extends string> {
  label: string;
  route: '/clusters/$instance/$cluster' | '/clusters/$instance';
  /** The tab that is shown; the overview when left out. */
  tab: Tab | undefined;
  tabs: readonly { id: Tab; label: string }[];
}

/** The parts of a page: each has an address, and takes nothing of another one's view with it. */
export function Tabs<Tab extends string>({ label, route, tab, tabs }: TabsProps<Tab>) {
  const { t } = useTranslation();
  const all = [{ id: undefined, label: t('member.tab.overview') }, ...tabs];
  return (
    <nav className="tabs" aria-label={label}>
      {all.map(({ id, label }) => (
        <Link
          key={id ?? ''}
          from={route}
          to="."
          search={({ operation }: { operation?: string }) => ({ operation, tab: id }) as never}
          // What else the address says is of the tab that is shown, which the page knows.
          activeOptions={id === tab ? SHOWN : TAB_OPTIONS}
          data-tab={id ?? 'overview'}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
