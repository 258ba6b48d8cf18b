import { useTranslation } from 'react-i18next';
import { DeleteResourceDocument } from '../../graph/generated/graphql';
import { TextField } from '../../ui/form/Field';
import { DeletionPreview } from '../DeleteObject';
import type { BulkRow } from './BulkDialog';
import { BulkDialog } from './BulkDialog';

/** As many deletions as the server previews at once. */
export const MOST_DELETED = 20;

interface BulkDeleteProps {
  rows: readonly BulkRow[];
  leftOut?: readonly { row: BulkRow; why: string }[];
  close: () => void;
}

/** Deletes several objects: shows what goes with each, and asks for their number. */
export function BulkDelete({ rows, leftOut, close }: BulkDeleteProps) {
  const { t } = useTranslation();
  const count = rows.length;
  return (
    <BulkDialog
      rows={rows}
      leftOut={leftOut}
      close={close}
      title={t('bulk.deleteTitle', { count })}
      name="bulk-delete"
      action={{
        document: DeleteResourceDocument,
        payload: (data) => data.deleteResource,
        failed: t('deletion.failed'),
      }}
      initial={{ confirm: '' }}
      input={({ id, uid }) => ({ id, uid })}
      submit={t('deletion.submit')}
      danger
      done={t('bulk.deleted')}
    >
      {count > 0 && <DeletionPreview ids={rows.map(({ id }) => id)} />}
      <TextField
        name="confirm"
        numeric
        label={t('bulk.confirm', { count })}
        check={(typed) => (typed === String(count) ? null : t('bulk.notTheNumber', { count }))}
      />
    </BulkDialog>
  );
}
