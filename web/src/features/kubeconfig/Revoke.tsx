import { Alert, Button, Popconfirm } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RevokeKubeconfigsDocument } from '../../graph/generated/graphql';
import type { Refusal } from '../../ui/action/refusals';
import { refusalText } from '../../ui/action/refusals';
import { useAction } from '../../ui/action/useAction';

/** Takes back every kubeconfig of the viewer's. It answers where it stands: toasts lie behind the dialog. */
export function Revoke() {
  const { t } = useTranslation();
  const { run, pending } = useAction(
    {
      document: RevokeKubeconfigsDocument,
      payload: (data) => data.revokeKubeconfigs,
      failed: t('kubeconfig.takeBackFailed'),
    },
    { showsRefusals: true },
  );
  const [refusals, setRefusals] = useState<Refusal[]>([]);
  const [until, setUntil] = useState<string | null>(null);
  const revoke = async () => {
    setUntil(null);
    const outcome = await run({});
    setRefusals(outcome.done ? [] : outcome.refusals);
    if (outcome.done) setUntil(outcome.result.issuedUntil);
  };
  return (
    <div className="kubeconfig-back">
      <Popconfirm
        title={t('kubeconfig.takeBackSure')}
        description={t('kubeconfig.takeBackHint')}
        okText={t('kubeconfig.takeBackYes')}
        cancelText={t('action.cancel')}
        okButtonProps={{ danger: true }}
        onConfirm={() => void revoke()}
      >
        <Button danger type="text" loading={pending}>
          {t('kubeconfig.takeBack')}
        </Button>
      </Popconfirm>
      <div role="status">
        {refusals.map(refusalText).map((text) => (
          <Alert key={text} type="error" showIcon title={text} />
        ))}
        {until && (
          <Alert
            type="success"
            showIcon
            title={t('kubeconfig.takenBack', { moment: new Date(until).toLocaleString() })}
          />
        )}
      </div>
    </div>
  );
}
