import { Link } from '@tanstack/react-router';

interface TabsProps {
  /** Of what they are. */
  label: string;
  current: string | undefined;
  /** The first one has no word in the address. */
  tabs: readonly { tab: string | undefined; label: string }[];
}

/** Parts of a page, each with its own address: `?tab=`. What one part says of itself is not the next one's. */
export function Tabs({ label, current, tabs }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ tab, label }) => (
        <Link
          key={tab ?? ''}
          to="."
          search={(before: Record<string, unknown>) => ({ ...before, ...leadingTo(tab) })}
          // The router would compare the whole address, also what is not the tab's.
          activeProps={{ 'aria-current': undefined }}
          aria-current={current === tab ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

function leadingTo(tab: string | undefined): Record<string, unknown> {
  return { tab, after: undefined };
}
