import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Age } from '../../../ui/Age';
import { StateBadge } from '../../../ui/tone';
import { ChipCard } from './ChipCard';
import { Chips } from './Chips';
import { moveFocus } from './keys';
import { pathOfKind, shortKind } from '../kinds';
import type { Row } from './page';
import { countOf, countText, toneOfState, totalOf } from '../verdict';

/** Up to here every row is in the document, so that the browser's own search finds it. */
const VIRTUAL_FROM = 100;
const ROW_HEIGHT = 36;

interface WorkloadTableProps {
  rows: readonly Row[];
  showInstance: boolean;
  busy: boolean;
}

export function WorkloadTable({ rows, showInstance, busy }: WorkloadTableProps) {
  const { t } = useTranslation();
  const table = useRef<HTMLTableElement>(null);
  const virtual = useRows(rows, table);
  return (
    <ChipCard rows={rows}>
      <table
        ref={table}
        className="grid workloads"
        aria-label={t('workloads.table')}
        aria-rowcount={rows.length + 1}
        aria-busy={busy}
      >
        <thead>
          <tr>
            <th scope="col" className="col-state">
              {t('workloads.state')}
            </th>
            <th scope="col" className="col-kind">
              {t('workloads.kind')}
            </th>
            <th scope="col" className="col-name">
              {t('workloads.name')}
            </th>
            {showInstance && (
              <th scope="col" className="col-instance">
                {t('app.instance')}
              </th>
            )}
            <th scope="col" className="col-namespace">
              {t('workloads.namespace')}
            </th>
            <th scope="col" className="col-clusters">
              {t('workloads.clusters')}
            </th>
            <th scope="col" className="col-ready number">
              {t('workloads.ready')}
            </th>
            <th scope="col" className="col-policy">
              {t('workloads.policy')}
            </th>
            <th scope="col" className="col-age number">
              {t('workloads.age')}
            </th>
          </tr>
        </thead>
        <tbody onKeyDown={moveFocus}>
          {virtual.above > 0 && <Spacer height={virtual.above} />}
          {virtual.indexes.map((index) => {
            const row = rows[index];
            return (
              row && (
                <WorkloadRow
                  key={row.id}
                  row={row}
                  index={index}
                  showInstance={showInstance}
                  measure={virtual.measure}
                />
              )
            );
          })}
          {virtual.below > 0 && <Spacer height={virtual.below} />}
        </tbody>
      </table>
    </ChipCard>
  );
}

interface WorkloadRowProps {
  row: Row;
  index: number;
  showInstance: boolean;
  measure?: (element: HTMLTableRowElement | null) => void;
}

const WorkloadRow = memo(function WorkloadRow({ row, index, showInstance, measure }: WorkloadRowProps) {
  const { t } = useTranslation();
  const targets = row.propagation?.targets ?? [];
  const completions = 'completions' in row ? row.completions : null;
  const total = totalOf(targets.map((target) => countOf(row.kind, target, completions)));
  const policy = row.propagation?.policy;
  const instance = row.instance?.name ?? '';
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} data-workload={row.id}>
      <td className="col-state">
        <StateBadge tone={toneOfState(row.state)} title={row.stateReason}>
          {t(`state.${row.state}`)}
        </StateBadge>
      </td>
      <td className="col-kind" title={row.kind}>
        <span aria-hidden="true">{shortKind(row.kind)}</span>
        <span className="sr-only">{row.kind}</span>
      </td>
      <th scope="row" className="col-name" title={row.name}>
        <Link
          to="/workloads/$instance/$namespace/$kind/$name"
          params={{ instance, namespace: row.namespace, kind: pathOfKind(row.kind), name: row.name }}
          className="name"
        >
          {row.name}
        </Link>
      </th>
      {showInstance && <td className="col-instance">{instance}</td>}
      <td className="col-namespace">{row.namespace}</td>
      <td className="col-clusters">
        <Chips row={row} />
      </td>
      <td className="col-ready number">{countText(total) || <span className="muted">–</span>}</td>
      <td className="col-policy">
        {policy ? (
          <span title={policy.kind}>{policy.name}</span>
        ) : (
          <span className="muted">{row.propagation ? t('workloads.noPolicy') : '–'}</span>
        )}
      </td>
      <td className="col-age number">
        <Age since={row.createdAt} />
      </td>
    </tr>
  );
});

function Spacer({ height }: { height: number }) {
  return (
    <tr aria-hidden="true" className="spacer">
      <td colSpan={9} style={{ height }} />
    </tr>
  );
}

interface RowWindow {
  indexes: number[];
  above: number;
  below: number;
  measure?: (element: HTMLTableRowElement | null) => void;
}

/** Which rows to draw: all of a short page, those in sight of a long one. */
function useRows(rows: readonly Row[], table: React.RefObject<HTMLTableElement | null>): RowWindow {
  const many = rows.length > VIRTUAL_FROM;
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const scroller = document.getElementById('content');
    const body = table.current?.tBodies[0];
    if (!scroller || !body) return;
    setMargin(body.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop);
  }, [table, many]);

  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is memoised by a compiler
  const virtualizer = useVirtualizer({
    count: rows.length,
    enabled: many,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    getScrollElement: () => document.getElementById('content'),
    overscan: 12,
    scrollMargin: margin,
  });
  if (!many) return { indexes: rows.map((_, index) => index), above: 0, below: 0 };

  const items = virtualizer.getVirtualItems();
  const first = items.at(0);
  const last = items.at(-1);
  return {
    indexes: items.map((item) => item.index),
    above: first ? first.start - margin : 0,
    below: last ? virtualizer.getTotalSize() - (last.end - margin) : 0,
    measure: virtualizer.measureElement,
  };
}
