import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { YamlView } from '../../../../ui/YamlView';
import { ApplyYaml } from './ApplyYaml';
import { editedOf } from './manifest';

interface EditYamlProps {
  workload: WorkloadDetailFragment;
  /** As it was when editing began. */
  base: string;
  /** As it is now. */
  now: string;
  close: () => void;
}

/** A manifest being edited: what is wrong with it as it is typed, and what would be sent before it is. */
export function EditYaml({ workload, base, now, close }: EditYamlProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(base);
  const [reviewed, setReviewed] = useState(false);
  const edited = useMemo(() => editedOf(base, text), [base, text]);
  const changed = edited.ok && edited.operations.length > 0;
  return (
    <>
      <div className="manifest-actions">
        <span className="muted small" role="status">
          {now !== base
            ? t('edit.changedMeanwhile')
            : changed
              ? t('edit.changes', { count: edited.operations.length })
              : ''}
        </span>
        <span className="page-gap" />
        <Button size="small" onClick={close}>
          {t('edit.discard')}
        </Button>
        <Button
          size="small"
          type="primary"
          disabled={!changed}
          aria-haspopup="dialog"
          onClick={() => setReviewed(true)}
        >
          {t('edit.review')}
        </Button>
      </div>
      <div role="alert">
        {!edited.ok && (
          <p className="edit-wrong tone-bad">
            {t(`edit.wrong.${edited.reason}`)} <span className="mono">{edited.detail}</span>
          </p>
        )}
      </div>
      <YamlView text={text} label={t('edit.label', { name: workload.name })} edit={setText} />
      {reviewed && edited.ok && (
        <ApplyYaml
          workload={workload}
          base={base}
          text={text}
          operations={edited.operations}
          resourceVersion={edited.resourceVersion}
          close={() => setReviewed(false)}
          applied={close}
        />
      )}
    </>
  );
}
