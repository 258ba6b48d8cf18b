import type { TFunction } from 'i18next';
import type { DataColumn } from '../../ui/table/columns';
import { SelectAllBox, SelectBox } from '../../ui/table/selection';
import './texts';

/** The boxes by which rows are chosen. */
export function selectColumn<Row extends { id: string; name: string }>(t: TFunction): DataColumn<Row> {
  return {
    id: 'select',
    header: t('bulk.column'),
    heading: () => <SelectAllBox label={t('bulk.all')} />,
    cell: ({ id, name }) => <SelectBox id={id} label={t('bulk.select', { name })} />,
  };
}
