import { Alert, Button, Skeleton } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resourceOf } from '../../../app/kinds';
import { usePermission } from '../../../app/permission';
import type { WorkloadDetailFragment, WorkloadKind } from '../../../graph/generated/graphql';
import { UpdateWorkloadDocument } from '../../../graph/generated/graphql';
import { refusalText } from '../../../ui/action/refusals';
import { useAction } from '../../../ui/action/useAction';
import { useValid } from '../../../ui/form/useValid';
import { Failed } from '../../../ui/Notices';
import { Stale } from '../../../ui/Stale';
import { draftsOf } from '../../session/drafts';
import { useManifest } from '../detail/useManifest';
import { ApplyYaml } from '../detail/yaml/ApplyYaml';
import { changedFrom, versionFor } from './change';
import { Discard, useLeaving } from './Discard';
import { FormSections } from './FormSections';
import { NO_PLACEMENT } from './placement';
import { SaveForm } from './SaveForm';
import './texts';
import { useManifestForm } from './useManifestForm';
import { useRefusals } from './useRefusals';
import { YamlSide } from './YamlSide';

interface EditTabProps {
  workload: WorkloadDetailFragment;
  kind: WorkloadKind;
}

/** Edits a workload by form and YAML in step. A default export, so that it is fetched when wanted. */
export default function EditTab({ workload, kind }: EditTabProps) {
  const { t } = useTranslation();
  const { manifest, instance, fetching, problems, liveProblems, retry } = useManifest(workload);
  const { allowed, reason } = usePermission({
    instance,
    verb: 'PATCH',
    ...resourceOf(kind),
    namespace: workload.namespace,
  });
  if (allowed === false) {
    return (
      <p className="muted" data-not-allowed="edit">
        {t('edit.notAllowed')} {reason}
      </p>
    );
  }
  if (manifest == null || allowed === null) {
    if (fetching || allowed === null) return <Skeleton active paragraph={{ rows: 12 }} />;
    if (problems.length > 0) return <Failed problems={problems} retry={retry} />;
    return <p className="muted">{t('workload.yamlEmpty')}</p>;
  }
  return (
    <>
      <Stale unwatched={[{ instance, problems: liveProblems }]} />
      <Form workload={workload} kind={kind} now={manifest} />
    </>
  );
}

/** What was edited of which workload and not saved, and the manifest that it was made of. */
const edits = draftsOf<{ base: string; text: string }>();

const startOf = (text: string) => ({ text, placement: NO_PLACEMENT, overrides: [] });

function Form({ workload, kind, now }: EditTabProps & { now: string }) {
  const { t } = useTranslation();
  const { id, uid, name } = workload;
  const [base, setBase] = useState(edits.get(id)?.base ?? now);
  // What is told just after an edit was saved may still be of before.
  const [before, setBefore] = useState(base);
  const view = useManifestForm(startOf(edits.get(id)?.text ?? base), ({ text }) =>
    edits.set(id, { base, text }),
  );
  const { form, draft, parsed } = view;
  const valid = useValid(form);
  const { left, tell, takeBack } = useRefusals(form);
  const [reviewed, setReviewed] = useState(false);
  const { run, pending } = useAction(
    {
      document: UpdateWorkloadDocument,
      payload: (data) => data.updateWorkload,
      failed: t('compose.notSaved'),
    },
    { showsRefusals: true },
  );
  const change = useMemo(() => changedFrom(base, draft.text, kind), [base, draft.text, kind]);
  const changed = change.ok && change.operations.length > 0;
  const version = useMemo(() => versionFor(base, now), [base, now]);
  const outdated = version === null && now !== base && now !== before;
  useLeaving(changed);

  const begin = (text: string) => {
    takeBack();
    setReviewed(false);
    setBase(text);
    setBefore(now);
    view.begin(startOf(text));
    edits.delete(id);
  };
  const input = change.ok &&
    change.form && { id, uid, resourceVersion: version ?? change.resourceVersion, form: change.form };
  /** It is tried first: what is refused is said at its fields, and what would be sent is shown. */
  const review = async () => {
    if (!change.ok || pending) return;
    if (change.form && change.wrong.length > 0) {
      return tell(change.wrong.map((field) => ({ field, message: t('compose.notAsTyped') })));
    }
    if (!input) return setReviewed(true);
    const outcome = await run({ ...input, dryRun: true });
    tell(outcome.done ? [] : outcome.refusals);
    if (outcome.done) setReviewed(true);
  };

  return (
    <>
      {outdated && (
        <Alert
          type="warning"
          showIcon
          title={t('compose.outdated')}
          action={
            <Button size="small" onClick={() => begin(now)}>
              {t('compose.takeOver')}
            </Button>
          }
        />
      )}
      <div className="work-edit">
        <FormSections
          view={view}
          exists
          namespaces={null}
          changed={() => {
            takeBack();
            view.changed();
          }}
        />
        <div className="work-side">
          <YamlSide view={view} label={t('edit.label', { name })} />
        </div>
      </div>
      <div className="work-end">
        <div role="alert">
          {!change.ok && parsed.ok && (
            <p className="edit-wrong tone-bad">
              {t(`edit.wrong.${change.reason}`)} <span className="mono">{change.detail}</span>
            </p>
          )}
          {left.map(refusalText).map((text) => (
            <Alert key={text} type="error" showIcon title={t('compose.refused')} description={text} />
          ))}
        </div>
        <p className="muted small" role="status">
          {changed
            ? t('edit.changes', { count: change.operations.length })
            : change.ok && t('compose.noChange')}
        </p>
        <div className="action-buttons">
          {draft.text !== base && <Discard discard={() => begin(now)} />}
          <Button
            type="primary"
            disabled={!changed || !valid}
            loading={pending}
            aria-haspopup="dialog"
            onClick={() => void review()}
          >
            {t('compose.review')}
          </Button>
        </div>
      </div>
      {reviewed && changed && input && (
        <SaveForm
          name={name}
          base={base}
          text={draft.text}
          input={input}
          close={() => setReviewed(false)}
          saved={(saved) => begin(saved ?? draft.text)}
        />
      )}
      {reviewed && changed && !input && (
        <ApplyYaml
          workload={workload}
          base={base}
          text={draft.text}
          operations={change.operations}
          resourceVersion={version ?? change.resourceVersion}
          close={() => setReviewed(false)}
          applied={() => begin(draft.text)}
        />
      )}
    </>
  );
}
