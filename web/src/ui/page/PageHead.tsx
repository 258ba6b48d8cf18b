import type { ReactNode } from 'react';
import { usePageTitle } from '../../app/page';
import { ColumnChoice } from '../table/ColumnChoice';
import type { TableShape } from '../table/DataTable';

interface PageHeadProps {
  /** What the page holds, or how much of it. */
  lead?: ReactNode;
  /** The table whose columns can be chosen. */
  table?: Pick<TableShape<never>, 'name' | 'columns'>;
  children?: ReactNode;
}

/** The title of a page, as its route calls it. */
export function PageHead({ lead, table, children }: PageHeadProps) {
  return (
    <div className="page-head">
      <h1>{usePageTitle()}</h1>
      {lead !== undefined && (
        <span className="page-count" aria-live="polite">
          {lead}
        </span>
      )}
      <span className="page-gap" />
      {children}
      {table && <ColumnChoice {...table} />}
    </div>
  );
}
