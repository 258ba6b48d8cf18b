import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useViewer } from '../../app/viewer';
import { RevokeAccessDocument } from '../../graph/generated/graphql';
import { ActionDialog } from '../../ui/action/ActionDialog';
import { TextField } from '../../ui/form/Field';
import type { Binding } from './binding';
import { lockedBy, subjectParts, whereOf } from './binding';

interface RevokeProps {
  binding: Binding;
  changed: () => void;
}

/** Takes a role from somebody. What Kairship did not give has to be taken where it was given. */
export function Revoke({ binding, changed }: RevokeProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const viewer = useViewer();
  const locked = lockedBy(binding, viewer);
  const { short } = subjectParts(binding.subject.name);
  if (locked) {
    return (
      <span className="muted small" title={t(`access.lockedHint.${locked}`)} data-not-allowed="revoke">
        {t(`access.locked.${locked}`)}
      </span>
    );
  }
  return (
    <>
      <Button size="small" danger aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('access.revoke')}
      </Button>
      <ActionDialog
        open={open}
        close={() => setOpen(false)}
        title={t('access.revokeTitle', { role: binding.role, name: short })}
        name="revoke"
        danger
        action={{
          document: RevokeAccessDocument,
          payload: (data) => data.revokeAccess,
          done: () => t('access.revoked', { role: binding.role, name: short }),
          failed: t('access.revokeFailed'),
        }}
        initial={{ confirm: '' }}
        input={({ confirm }) => (confirm === short ? { id: binding.id, uid: binding.uid } : null)}
        submit={t('access.revoke')}
        onDone={changed}
        before={
          <p>{t('access.revokeWhat', { name: short, role: binding.role, where: whereOf(binding, t) })}</p>
        }
      >
        <TextField
          name="confirm"
          label={t('deletion.confirm', { name: short })}
          check={(typed) => (typed === short ? null : t('deletion.notTheName', { name: short }))}
        />
      </ActionDialog>
    </>
  );
}
