import { Alert, Button, Input, Popover } from 'antd';
import type { SyntheticEvent } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import type { WorkloadDetailFragment } from '../../../graph/generated/graphql';
import { ScaleWorkloadDocument } from '../../../graph/generated/graphql';
import { useRefusals } from '../../../graph/refusals';
import { MOST_REPLICAS, replicasOf } from '../../../ui/typed';

interface ScaleProps {
  workload: WorkloadDetailFragment;
  /** Whether the viewer may; who may not is told so, and not offered it. */
  allowed: boolean;
}

export function Scale({ workload, allowed }: ScaleProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (!allowed) {
    return (
      <span
        className="muted small"
        data-not-allowed="scale"
        title={t('scale.notAllowedHint', { kind: workload.kind, namespace: workload.namespace })}
      >
        {t('scale.notAllowed')}
      </span>
    );
  }
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      content={<ScaleForm workload={workload} close={() => setOpen(false)} />}
    >
      <Button type="primary" aria-haspopup="dialog" aria-expanded={open}>
        {t('scale.button')}
      </Button>
    </Popover>
  );
}

export function ScaleForm({ workload, close }: { workload: WorkloadDetailFragment; close: () => void }) {
  const { t } = useTranslation();
  // The text as it is typed: a number input clamps and rounds it before anybody sees.
  const [typed, setTyped] = useState(String(workload.replicas ?? 0));
  const replicas = replicasOf(typed);
  const [{ fetching }, scale] = useMutation(ScaleWorkloadDocument);
  const { refusals, heed, forget } = useRefusals();
  const [done, setDone] = useState<number | null>(null);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (replicas === null || fetching) return;
    setDone(null);
    // The uid says which object is meant: not a namesake that was made since this page was read.
    const { data, error } = await scale({ input: { id: workload.id, uid: workload.uid, replicas } });
    const payload = data?.scaleWorkload;
    if (!heed(payload?.userErrors, error)) setDone(payload?.workload?.replicas ?? replicas);
  };

  return (
    <form
      className="scale"
      role="dialog"
      aria-label={t('scale.title', { name: workload.name })}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <label htmlFor="replicas">{t('scale.replicas')}</label>
      <Input
        id="replicas"
        autoFocus
        autoComplete="off"
        inputMode="numeric"
        value={typed}
        status={replicas === null ? 'error' : undefined}
        aria-invalid={replicas === null}
        aria-describedby="replicas-hint"
        onChange={(event) => {
          setTyped(event.target.value);
          forget();
          setDone(null);
        }}
      />
      <p id="replicas-hint" className={replicas === null ? 'small wrong' : 'muted small'}>
        {replicas === null ? t('scale.invalid', { typed, most: MOST_REPLICAS }) : t('scale.hint')}
      </p>
      <div role="status">
        {refusals.map((refusal) => (
          <Alert key={refusal} type="error" showIcon title={t('scale.failed')} description={refusal} />
        ))}
        {done !== null && <Alert type="success" showIcon title={t('scale.done', { replicas: done })} />}
      </div>
      <div className="scale-actions">
        <Button onClick={close}>{t('scale.cancel')}</Button>
        <Button type="primary" htmlType="submit" disabled={replicas === null} loading={fetching}>
          {t('scale.submit')}
        </Button>
      </div>
    </form>
  );
}
