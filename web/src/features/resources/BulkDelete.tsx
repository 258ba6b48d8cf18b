import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeletionPreview } from '../../app/DeleteObject';
import { DeleteResourceDocument } from '../../graph/generated/graphql';
import { refusalText } from '../../ui/action/refusals';
import { useAction } from '../../ui/action/useAction';
import { Dialog } from '../../ui/Dialog';
import { StateBadge } from '../../ui/tone';
import type { Row } from './where';

/** What became of the deletion of one object. */
type Outcome = { state: 'waiting' | 'deleted' } | { state: 'refused'; why: string };

interface BulkDeleteProps {
  rows: readonly Row[];
  close: () => void;
}

/** Deletes several objects, one after the other, and says of each what became of it. */
export function BulkDelete({ rows, close }: BulkDeleteProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome> | null>(null);
  const { run } = useAction(
    {
      document: DeleteResourceDocument,
      payload: (data) => data.deleteResource,
      failed: t('deletion.failed'),
    },
    { showsRefusals: true },
  );
  const wanted = String(rows.length);
  const start = async () => {
    let told: ReadonlyMap<string, Outcome> = new Map(rows.map(({ id }) => [id, { state: 'waiting' }]));
    setOutcomes(told);
    for (const { id, uid } of rows) {
      const outcome = await run({ id, uid });
      told = new Map(told).set(
        id,
        outcome.done
          ? { state: 'deleted' }
          : { state: 'refused', why: outcome.refusals.map(refusalText).join(' ') },
      );
      setOutcomes(told);
    }
  };
  return (
    <Dialog open close={close} title={t('resources.deleteMany', { count: rows.length })}>
      {outcomes ? (
        <>
          <ul className="outcomes" aria-live="polite">
            {rows.map((row) => (
              <OutcomeLine key={row.id} row={row} outcome={outcomes.get(row.id)} />
            ))}
          </ul>
          <div className="action-buttons">
            <Button type="primary" onClick={close}>
              {t('app.close')}
            </Button>
          </div>
        </>
      ) : (
        <Form className="action" layout="vertical" requiredMark={false} onFinish={() => void start()}>
          <DeletionPreview ids={rows.map(({ id }) => id)} />
          <Form.Item label={t('resources.confirmMany', { count: rows.length })} htmlFor="bulk-confirm">
            <Input
              id="bulk-confirm"
              autoComplete="off"
              inputMode="numeric"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </Form.Item>
          <div className="action-buttons">
            <Button onClick={close}>{t('action.cancel')}</Button>
            <Button type="primary" danger htmlType="submit" disabled={typed !== wanted}>
              {t('deletion.submit')}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

const TONES = { waiting: 'busy', deleted: 'ok', refused: 'bad' } as const;

function OutcomeLine({ row, outcome }: { row: Row; outcome: Outcome | undefined }) {
  const { t } = useTranslation();
  const state = outcome?.state ?? 'waiting';
  return (
    <li className="wrap" data-outcome={state}>
      <StateBadge tone={TONES[state]}>{t(`resources.outcome.${state}`)}</StateBadge>{' '}
      {row.namespace ? `${row.namespace}/` : ''}
      {row.name} <span className="muted small">{row.instance?.name}</span>
      {outcome?.state === 'refused' && <p className="wrong">{outcome.why}</p>}
    </li>
  );
}
