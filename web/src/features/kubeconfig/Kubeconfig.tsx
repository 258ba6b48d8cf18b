import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useViewer } from '../../app/viewer';
import { IssueKubeconfigDocument } from '../../graph/generated/graphql';
import { ActionDialog } from '../../ui/action/ActionDialog';
import { SelectField, SuggestField } from '../../ui/form/Field';
import { isNamespace } from '../../ui/typed';
import { Issued } from './Issued';
import { confinedTo, fileName, LIFETIMES, USUAL } from './lifetimes';
import { Revoke } from './Revoke';

interface KubeconfigProps {
  instance: string;
  clusters: readonly string[];
}

/** Hands out a kubeconfig for an instance, and takes back all of the viewer's. */
export function Kubeconfig({ instance, clusters }: KubeconfigProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const confined = confinedTo(instance, useViewer()?.roles ?? []);
  return (
    <>
      <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('kubeconfig.button')}
      </Button>
      <ActionDialog
        open={open}
        close={() => setOpen(false)}
        title={t('kubeconfig.title', { instance })}
        name="kubeconfig"
        action={{
          document: IssueKubeconfigDocument,
          payload: (data) => data.issueKubeconfig,
          failed: t('kubeconfig.failed'),
        }}
        initial={{ cluster: '', namespace: confined[0] ?? '', expirationSeconds: USUAL }}
        input={({ cluster, namespace, expirationSeconds }) => ({
          instance,
          cluster: cluster || undefined,
          namespace: namespace || undefined,
          expirationSeconds,
        })}
        submit={t('kubeconfig.issue')}
        lead={t('kubeconfig.lead')}
        result={({ kubeconfig, expiresAt }, { cluster }) => (
          <Issued
            text={kubeconfig ?? ''}
            expires={expiresAt ?? ''}
            file={fileName(instance, cluster || undefined)}
          />
        )}
        footer={<Revoke />}
      >
        <SelectField
          name="cluster"
          label={t('kubeconfig.cluster')}
          options={[
            { value: '', label: t('kubeconfig.controlPlane', { instance }) },
            ...clusters.map((value) => ({ value, label: value })),
          ]}
        />
        <SuggestField
          name="namespace"
          label={t('kubeconfig.namespace')}
          suggestions={confined}
          placeholder="default"
          check={(typed) => (isNamespace(typed) ? null : t('kubeconfig.notANamespace', { typed }))}
        />
        <SelectField
          name="expirationSeconds"
          label={t('kubeconfig.lifetime')}
          options={LIFETIMES.map(({ seconds, word }) => ({
            value: seconds,
            label: t(`kubeconfig.for.${word}`),
          }))}
        />
      </ActionDialog>
    </>
  );
}
