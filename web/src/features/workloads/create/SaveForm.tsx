import { useTranslation } from 'react-i18next';
import type { UpdateWorkloadInput } from '../../../graph/generated/graphql';
import { UpdateWorkloadDocument } from '../../../graph/generated/graphql';
import { ActionDialog } from '../../../ui/action/ActionDialog';
import { DryRun } from '../../../ui/action/DryRun';
import { DiffView } from '../../../ui/diff/DiffView';
import { FieldChanges } from '../../../ui/diff/FieldChanges';

interface SaveFormProps {
  name: string;
  base: string;
  text: string;
  input: UpdateWorkloadInput;
  close: () => void;
  /** Is told what the workload says now, where the server said it. */
  saved: (manifest: string | null) => void;
}

/** Shows what an edit changes, and saves it. */
export function SaveForm({ name, base, text, input, close, saved }: SaveFormProps) {
  const { t } = useTranslation();
  return (
    <ActionDialog
      open
      close={close}
      title={t('edit.title', { name })}
      name="edit-form"
      action={{
        document: UpdateWorkloadDocument,
        payload: (data) => data.updateWorkload,
        done: () => t('compose.saved', { name }),
        failed: t('compose.notSaved'),
      }}
      initial={{}}
      input={() => input}
      submit={t('compose.save')}
      lead={t('compose.saveLead')}
      onDone={({ workload }) => saved(workload?.manifest ?? null)}
    >
      <DiffView from={base} to={text} label={t('edit.difference')} />
      <DryRun document={UpdateWorkloadDocument} payload={(data) => data.updateWorkload} input={input}>
        {({ conflict }) =>
          conflict?.theirs &&
          conflict.theirs.length > 0 && (
            <section>
              <h3 className="dialog-part">{t('compose.theirs')}</h3>
              <FieldChanges changes={conflict.theirs} label={t('compose.theirs')} />
            </section>
          )
        }
      </DryRun>
    </ActionDialog>
  );
}
