import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PolicyDetailFragment } from '../../../graph/generated/graphql';
import { UpdatePolicyDocument } from '../../../graph/generated/graphql';
import { useAction } from '../../../ui/action/useAction';
import type { Told } from '../form/PolicyEditor';
import { PolicyEditor } from '../form/PolicyEditor';
import { usePolicyText } from '../form/usePolicyText';
import { OverrideImpact, PropagationImpact } from './Impact';

interface EditTabProps {
  policy: PolicyDetailFragment;
  instance: string;
  as: 'yaml' | undefined;
  show: (as: 'yaml' | undefined) => void;
}

/** What was read, and is edited: a change made by others meanwhile does not slip in. */
interface Base {
  text: string;
  uid: string | null;
  resourceVersion: string;
}

/** Edits a policy by a form or as YAML: what it would do is looked at before it is saved. A default export, so that it is fetched when wanted. */
export default function EditTab({ policy, instance, as, show }: EditTabProps) {
  const { t } = useTranslation();
  const [base, setBase] = useState(() => baseOf(policy));
  const editing = usePolicyText(base.text);
  const { text, incomplete } = editing;
  const [previewed, setPreviewed] = useState<string | null>(null);
  const [told, setTold] = useState<Told | null>(null);
  const { run, pending } = useAction(
    {
      document: UpdatePolicyDocument,
      payload: (data) => data.updatePolicy,
      done: () => t('policyEdit.saved', { name: policy.name }),
      failed: t('policyEdit.failed'),
    },
    { showsRefusals: true },
  );
  const changed = incomplete || text !== base.text;
  const outdated = policy.resourceVersion !== null && policy.resourceVersion !== base.resourceVersion;
  const takeOver = () => {
    const now = baseOf(policy);
    setBase(now);
    editing.write(now.text);
    setPreviewed(null);
    setTold(null);
  };
  const save = async () => {
    const { uid, resourceVersion } = base;
    const outcome = await run({ id: policy.id, uid, resourceVersion, manifest: text });
    if (!outcome.done) return setTold({ text, refusals: outcome.refusals, failed: t('policyEdit.failed') });
    setTold(null);
    setPreviewed(null);
    const saved = outcome.result.policy;
    if (!saved) return;
    setBase(baseOf(saved));
    editing.write(baseOf(saved).text);
  };
  const Impact = 'overrideRules' in policy ? OverrideImpact : PropagationImpact;
  return (
    <div className="policy-edit">
      <section>
        {outdated && (
          <Alert
            type="warning"
            showIcon
            title={t('policyEdit.outdated')}
            action={
              <Button size="small" onClick={takeOver}>
                {t(changed ? 'policyEdit.discard' : 'policyEdit.takeOver')}
              </Button>
            }
          />
        )}
        <PolicyEditor
          policy={editing}
          instance={instance}
          label={t('policyEdit.editor', { name: policy.name })}
          named
          told={told}
          as={as}
          show={show}
        />
        <div className="action-buttons">
          {changed && (
            <Button type="text" onClick={takeOver}>
              {t('policyEdit.discard')}
            </Button>
          )}
          <Button disabled={!changed || incomplete} onClick={() => setPreviewed(text)}>
            {t('policyEdit.preview')}
          </Button>
          <Button
            type="primary"
            disabled={!changed || incomplete || previewed !== text}
            loading={pending}
            onClick={() => void save()}
          >
            {t('policyEdit.save')}
          </Button>
        </div>
      </section>
      <section aria-label={t('policyEdit.impact')}>
        <h2>{t('policyEdit.impact')}</h2>
        {previewed === null ? (
          <p className="muted">{t('policyEdit.hint')}</p>
        ) : (
          <>
            {previewed !== text && <Alert type="info" showIcon title={t('policyEdit.editedSince')} />}
            <Impact
              key={previewed}
              instance={instance}
              manifest={previewed}
              tell={(refusals) => setTold({ text: previewed, refusals })}
            />
          </>
        )}
      </section>
    </div>
  );
}

function baseOf({ manifest, uid, resourceVersion }: PolicyDetailFragment): Base {
  return { text: manifest ?? '', uid, resourceVersion: resourceVersion ?? '' };
}
