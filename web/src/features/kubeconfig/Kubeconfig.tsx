import { Alert, AutoComplete, Button, Popconfirm, Select } from 'antd';
import type { SyntheticEvent } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import { useViewer } from '../../app/viewer';
import { IssueKubeconfigDocument, RevokeKubeconfigsDocument } from '../../graph/generated/graphql';
import { useRefusals } from '../../graph/refusals';
import { Dialog } from '../../ui/Dialog';
import { isNamespace } from '../../ui/typed';
import { confinedTo, fileName, LIFETIMES, USUAL } from './lifetimes';

interface KubeconfigProps {
  instance: string;
  clusters: readonly string[];
}

/** Hands out a kubeconfig for an instance, and takes back all of the viewer's. */
export function Kubeconfig({ instance, clusters }: KubeconfigProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('kubeconfig.button')}
      </Button>
      <Dialog open={open} close={() => setOpen(false)} title={t('kubeconfig.title', { instance })}>
        <Handing instance={instance} clusters={clusters} />
      </Dialog>
    </>
  );
}

interface Issued {
  text: string;
  expires: string;
  file: string;
}

function Handing({ instance, clusters }: KubeconfigProps) {
  const [issued, setIssued] = useState<Issued | null>(null);
  return (
    <div className="kubeconfig">
      {issued ? <Once issued={issued} /> : <Ask instance={instance} clusters={clusters} give={setIssued} />}
      <TakeBack />
    </div>
  );
}

function Ask({ instance, clusters, give }: KubeconfigProps & { give: (issued: Issued) => void }) {
  const { t } = useTranslation();
  const confined = confinedTo(instance, useViewer()?.roles ?? []);
  const [cluster, setCluster] = useState('');
  const [namespace, setNamespace] = useState(confined[0] ?? '');
  const [lifetime, setLifetime] = useState<number>(USUAL);
  const [{ fetching }, issue] = useMutation(IssueKubeconfigDocument);
  const { refusals, heed } = useRefusals();

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isNamespace(namespace)) return;
    const { data, error } = await issue({
      input: {
        instance,
        cluster: cluster || undefined,
        namespace: namespace || undefined,
        expirationSeconds: lifetime,
      },
    });
    const payload = data?.issueKubeconfig;
    if (heed(payload?.userErrors, error) || !payload?.kubeconfig || !payload.expiresAt) return;
    const file = fileName(instance, cluster || undefined);
    give({ text: payload.kubeconfig, expires: payload.expiresAt, file });
  };

  return (
    <form className="kubeconfig-form" onSubmit={(event) => void submit(event)} aria-busy={fetching}>
      <p className="muted">{t('kubeconfig.lead')}</p>
      <label htmlFor="kubeconfig-cluster">{t('kubeconfig.cluster')}</label>
      <Select
        id="kubeconfig-cluster"
        value={cluster}
        options={[
          { value: '', label: t('kubeconfig.controlPlane', { instance }) },
          ...clusters.map((value) => ({ value, label: value })),
        ]}
        onChange={setCluster}
      />
      <label htmlFor="kubeconfig-namespace">{t('kubeconfig.namespace')}</label>
      <AutoComplete
        id="kubeconfig-namespace"
        allowClear
        value={namespace}
        options={confined.map((value) => ({ value }))}
        placeholder="default"
        status={isNamespace(namespace) ? undefined : 'error'}
        aria-invalid={!isNamespace(namespace)}
        aria-describedby="kubeconfig-namespace-problem"
        onChange={(value?: string) => setNamespace(value ?? '')}
      />
      <p id="kubeconfig-namespace-problem" role="status" className="small wrong">
        {!isNamespace(namespace) && t('kubeconfig.notANamespace', { typed: namespace })}
      </p>
      <label htmlFor="kubeconfig-lifetime">{t('kubeconfig.lifetime')}</label>
      <Select
        id="kubeconfig-lifetime"
        value={lifetime}
        options={LIFETIMES.map(({ seconds, word }) => ({
          value: seconds,
          label: t(`kubeconfig.for.${word}`),
        }))}
        onChange={setLifetime}
      />
      <div role="alert">
        {refusals.map((refusal) => (
          <Alert key={refusal} type="error" showIcon title={t('kubeconfig.failed')} description={refusal} />
        ))}
      </div>
      <Button type="primary" htmlType="submit" disabled={!isNamespace(namespace)} loading={fetching}>
        {t('kubeconfig.issue')}
      </Button>
    </form>
  );
}

function Once({ issued }: { issued: Issued }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(issued.text);
    setCopied(true);
  };
  return (
    <div className="kubeconfig-once">
      <Alert
        type="warning"
        showIcon
        title={t('kubeconfig.once')}
        description={t('kubeconfig.ends', { moment: new Date(issued.expires).toLocaleString() })}
      />
      <pre tabIndex={0} aria-label={issued.file}>
        {issued.text}
      </pre>
      <div className="kubeconfig-actions">
        <Button onClick={() => void copy()}>{t(copied ? 'workload.copied' : 'workload.copy')}</Button>
        <Button type="primary" onClick={() => download(issued)}>
          {t('kubeconfig.download', { file: issued.file })}
        </Button>
      </div>
    </div>
  );
}

function TakeBack() {
  const { t } = useTranslation();
  const [{ fetching }, revoke] = useMutation(RevokeKubeconfigsDocument);
  const { refusals, heed } = useRefusals();
  const [until, setUntil] = useState<string | null>(null);
  const takeBack = async () => {
    setUntil(null);
    const { data, error } = await revoke({ input: {} });
    const payload = data?.revokeKubeconfigs;
    if (!heed(payload?.userErrors, error)) setUntil(payload?.issuedUntil ?? null);
  };
  return (
    <div className="kubeconfig-back">
      <Popconfirm
        title={t('kubeconfig.takeBackSure')}
        description={t('kubeconfig.takeBackHint')}
        okText={t('kubeconfig.takeBackYes')}
        cancelText={t('scale.cancel')}
        okButtonProps={{ danger: true }}
        onConfirm={() => void takeBack()}
      >
        <Button danger type="text" loading={fetching}>
          {t('kubeconfig.takeBack')}
        </Button>
      </Popconfirm>
      <div role="status">
        {refusals.map((refusal) => (
          <Alert key={refusal} type="error" showIcon title={refusal} />
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

function download({ text, file }: Issued): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  URL.revokeObjectURL(url);
}
