import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Action, Payload } from '../ui/action/useAction';
import { DeleteObject } from './DeleteObject';
import type { ObjectPermission } from './permission';
import { usePermission } from './permission';

interface DeleteButtonProps<Data, Result extends Payload> {
  permission: ObjectPermission;
  object: { id: string; uid?: string | null; kind: string; name: string };
  document: Action<Data, { id: string; uid?: string | null }, Result>['document'];
  payload: Action<Data, { id: string; uid?: string | null }, Result>['payload'];
  after?: () => void;
}

/** Deletes an object. Who may not is told what it takes, and not offered it. */
export function DeleteButton<Data, Result extends Payload>({
  permission,
  ...what
}: DeleteButtonProps<Data, Result>) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { allowed, reason } = usePermission(permission);
  if (allowed === null) return null;
  if (!allowed) {
    return (
      <span className="muted small" data-not-allowed="delete">
        {reason}
      </span>
    );
  }
  return (
    <>
      <Button danger aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('deletion.button')}
      </Button>
      <DeleteObject {...what} open={open} close={() => setOpen(false)} />
    </>
  );
}
