import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PolicyDetailFragment } from '../../../graph/generated/graphql';
import { UpdatePolicyDocument } from '../../../graph/generated/graphql';
import type { Refusal } from '../../../ui/action/refusals';
import { refusalText } from '../../../ui/action/refusals';
import { useAction } from '../../../ui/action/useAction';
import { YamlView } from '../../../ui/YamlView';
import { OverrideImpact, PropagationImpact } from './Impact';

interface EditTabProps {
  policy: PolicyDetailFragment;
  instance: string;
}

/** What was read, and is edited: a change made by others meanwhile does not slip in. */
interface Base {
  text: string;
  uid: string | null;
  resourceVersion: string;
}

/** Edits a policy as YAML: what it would do is looked at before it is saved. A default export, so that it is fetched when wanted. */
export default function EditTab({ policy, instance }: EditTabProps) {
  const { t } = useTranslation();
  const [base, setBase] = useState(() => baseOf(policy));
  const [text, setText] = useState(base.text);
  const [previewed, setPreviewed] = useState<string | null>(null);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const { run, pending } = useAction(
    {
      document: UpdatePolicyDocument,
      payload: (data) => data.updatePolicy,
      done: () => t('policyEdit.saved', { name: policy.name }),
      failed: t('policyEdit.failed'),
    },
    { showsRefusals: true },
  );
  const changed = text !== base.text;
  const outdated = policy.resourceVersion !== null && policy.resourceVersion !== base.resourceVersion;
  const takeOver = () => {
    const now = baseOf(policy);
    setBase(now);
    setText(now.text);
    setPreviewed(null);
    setRefusals([]);
  };
  const save = async () => {
    const { uid, resourceVersion } = base;
    const outcome = await run({ id: policy.id, uid, resourceVersion, manifest: text });
    if (!outcome.done) return setRefusals(outcome.refusals);
    setRefusals([]);
    setPreviewed(null);
    const saved = outcome.result.policy;
    if (!saved) return;
    setBase(baseOf(saved));
    setText(baseOf(saved).text);
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
        <YamlView text={text} label={t('policyEdit.editor', { name: policy.name })} edit={setText} />
        <div role="alert">
          {refusals.map(refusalText).map((text) => (
            <Alert key={text} type="error" showIcon title={t('policyEdit.failed')} description={text} />
          ))}
        </div>
        <div className="action-buttons">
          {changed && (
            <Button type="text" onClick={takeOver}>
              {t('policyEdit.discard')}
            </Button>
          )}
          <Button disabled={!changed} onClick={() => setPreviewed(text)}>
            {t('policyEdit.preview')}
          </Button>
          <Button
            type="primary"
            disabled={!changed || previewed !== text}
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
            <Impact key={previewed} instance={instance} manifest={previewed} />
          </>
        )}
      </section>
    </div>
  );
}

function baseOf({ manifest, uid, resourceVersion }: PolicyDetailFragment): Base {
  return { text: manifest ?? '', uid, resourceVersion: resourceVersion ?? '' };
}
