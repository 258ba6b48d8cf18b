import { Alert } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import type {
  EditManifestMutation,
  PatchResourceInput,
  WorkloadDetailFragment,
} from '../../../../graph/generated/graphql';
import { EditManifestDocument } from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import type { Refusal } from '../../../../ui/action/refusals';
import { refusalsOf, refusalText } from '../../../../ui/action/refusals';
import { DiffView } from '../../../../ui/diff/DiffView';
import { FieldChanges } from '../../../../ui/diff/FieldChanges';
import { ToneIcon } from '../../../../ui/tone';
import type { Operation } from './patch';

interface ApplyYamlProps {
  workload: WorkloadDetailFragment;
  base: string;
  text: string;
  operations: readonly Operation[];
  resourceVersion: string;
  close: () => void;
  applied: () => void;
}

/** Shows what an edit changes and whether the API server takes it, and sends that and nothing else. */
export function ApplyYaml(props: ApplyYamlProps) {
  const { t } = useTranslation();
  const { workload, base, text, operations, resourceVersion, close, applied } = props;
  const { id, uid, name } = workload;
  const input: PatchResourceInput = {
    id,
    uid,
    resourceVersion: resourceVersion || undefined,
    type: 'JSON',
    patch: JSON.stringify(operations),
  };
  return (
    <ActionDialog
      open
      close={close}
      title={t('edit.title', { name })}
      name="edit-yaml"
      action={{
        document: EditManifestDocument,
        payload: (data) => data.patchResource,
        done: () => {
          applied();
          return t('edit.done', { name });
        },
        failed: t('edit.failed'),
      }}
      initial={{}}
      input={() => input}
      submit={t('edit.apply')}
      lead={t('edit.lead')}
    >
      <DiffView from={base} to={text} label={t('edit.difference')} />
      <DryRun input={input} />
    </ActionDialog>
  );
}

interface Tried {
  refusals: Refusal[];
  conflict: NonNullable<EditManifestMutation['patchResource']>['conflict'];
}

/** Whether the API server would take it; where others changed it meanwhile, what they changed. */
function DryRun({ input }: { input: PatchResourceInput }) {
  const { t } = useTranslation();
  const [, execute] = useMutation(EditManifestDocument);
  const [tried, setTried] = useState<Tried | null>(null);
  const wanted = JSON.stringify(input);
  useEffect(() => {
    let past = false;
    void execute({ input: { ...(JSON.parse(wanted) as PatchResourceInput), dryRun: true } }).then(
      ({ data, error }) => {
        if (past) return;
        const payload = data?.patchResource;
        setTried({
          refusals: refusalsOf(payload?.userErrors, error, t),
          conflict: payload?.conflict ?? null,
        });
      },
    );
    return () => {
      past = true;
    };
  }, [execute, wanted, t]);

  if (!tried) return <p className="muted">{t('revisions.trying')}</p>;
  if (tried.refusals.length === 0) {
    return (
      <p className="why-well tone-ok" data-dry-run="accepted">
        <ToneIcon tone="ok" /> {t('revisions.accepted')}
      </p>
    );
  }
  return (
    <>
      {tried.refusals.map(refusalText).map((text) => (
        <Alert key={text} type="error" showIcon title={t('revisions.refused')} description={text} />
      ))}
      {tried.conflict?.theirs && tried.conflict.theirs.length > 0 && (
        <section>
          <h3 className="dialog-part">{t('edit.theirs')}</h3>
          <FieldChanges changes={tried.conflict.theirs} label={t('edit.theirs')} />
        </section>
      )}
    </>
  );
}
