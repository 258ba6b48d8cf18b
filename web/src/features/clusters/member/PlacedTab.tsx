import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { PAGE_SIZES } from '../../../app/search';
import { ClusterBindingsDocument } from '../../../graph/generated/graphql';
import { ConnectionTable } from '../../../ui/page/ConnectionTable';
import { useConnection } from '../../../ui/page/useConnection';
import { attributesOfPlaced, idOfPlaced, usePlacedColumns } from './PlacedTable';
import { placedRows } from './placed';
import type { TabProps } from './tab';

/** What Karmada placed in a cluster, of any kind; on each page, what is wrong comes first. */
export default function PlacedTab({ instance, cluster, search }: TabProps) {
  const { t } = useTranslation();
  const { after, size } = search;
  const view = useConnection({
    document: ClusterBindingsDocument,
    variables: useMemo(
      () => ({ instance, cluster, first: size ?? PAGE_SIZES[0], after }),
      [instance, cluster, size, after],
    ),
    of: (data) => data.instance?.cluster?.bindings,
  });
  const rows = useMemo(() => view.rows && placedRows(cluster, view.rows), [cluster, view.rows]);
  const wrong = rows?.filter(({ state }) => state !== 'healthy').length ?? 0;
  return (
    <ConnectionTable
      lead={
        rows && (
          <>
            {t('member.shown', { count: rows.length })}
            {wrong > 0 && <span className="reason">, {t('member.notHealthy', { count: wrong })}</span>}
          </>
        )
      }
      search={search}
      view={{ ...view, rows }}
      table={{
        name: 'placed',
        label: t('member.placedIn', { cluster }),
        columns: usePlacedColumns(instance),
        rowId: idOfPlaced,
        rowAttributes: attributesOfPlaced,
      }}
      empty={<p className="muted">{t('member.nothingPlaced')}</p>}
    />
  );
}
