import { useTranslation } from 'react-i18next';
import type {
  EditManifestMutation,
  PatchResourceInput,
  WorkloadDetailFragment,
} from '../../../../graph/generated/graphql';
import { EditManifestDocument } from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import { DryRun } from '../../../../ui/action/DryRun';
import { DiffView } from '../../../../ui/diff/DiffView';
import { FieldChanges } from '../../../../ui/diff/FieldChanges';
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
      <DryRun document={EditManifestDocument} payload={(data) => data.patchResource} input={input}>
        {({ conflict }) => <Meanwhile theirs={conflict?.theirs} />}
      </DryRun>
    </ActionDialog>
  );
}

type Theirs = NonNullable<NonNullable<EditManifestMutation['patchResource']>['conflict']>['theirs'];

/** What others changed since editing began; nothing where that is not known. */
function Meanwhile({ theirs }: { theirs: Theirs | undefined }) {
  const { t } = useTranslation();
  if (!theirs || theirs.length === 0) return null;
  return (
    <section>
      <h3 className="dialog-part">{t('edit.theirs')}</h3>
      <FieldChanges changes={theirs} label={t('edit.theirs')} />
    </section>
  );
}
