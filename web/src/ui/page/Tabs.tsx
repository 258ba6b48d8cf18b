import { Link } from '@tanstack/react-router';

interface TabsProps {
  /** Of what they are. */
  label: string;
  current: string | undefined;
  /** The first one has no word in the address. */
  tabs: readonly { tab: string | undefined; label: string }[];
}

/** Tabs differ in what follows the question mark, and in nothing else. */
const WHOLE = { exact: true, includeSearch: true };

/** Parts of a page, each with its own address: `?tab=`. */
export function Tabs({ label, current, tabs }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ tab, label }) => (
        <Link
          key={tab ?? ''}
          to="."
          search={(before: Record<string, unknown>) => ({ ...before, ...leadingTo(tab, current) })}
          activeOptions={WHOLE}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** A cursor belongs to the part that it was read in. */
function leadingTo(tab: string | undefined, current: string | undefined): Record<string, unknown> {
  return tab === current ? { tab } : { tab, after: undefined };
}
