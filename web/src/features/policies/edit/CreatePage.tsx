import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Alert, Button, Select, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { NO_NAMESPACE, POLICY_KINDS } from '../../../app/objects';
import { CreatePolicyDocument, PolicyMakingDocument } from '../../../graph/generated/graphql';
import { problemsOf } from '../../../graph/problems';
import { useAction } from '../../../ui/action/useAction';
import { Blank, Failed } from '../../../ui/Notices';
import { PageHead } from '../../../ui/page/PageHead';
import type { Told } from '../form/PolicyEditor';
import { PolicyEditor } from '../form/PolicyEditor';
import { usePolicyText } from '../form/usePolicyText';
import { OverrideImpact, PropagationImpact } from './Impact';
import { kindsFor, namespacesFor, templateOf } from './making';

const FROM = '/signed-in/policies/new';

/** Makes a policy of one of the four kinds: what it would do is looked at before it is made. */
export function CreatePage() {
  const { t } = useTranslation();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: '/policies/new' });
  const [{ data, error, fetching }, read] = useQuery({ query: PolicyMakingDocument });
  const instances = data?.instances?.nodes.filter((instance) => kindsFor(instance).length > 0);
  if (!instances) {
    if (fetching) return <Skeleton active paragraph={{ rows: 10 }} />;
    return <Failed problems={problemsOf(error)} retry={() => read({ requestPolicy: 'network-only' })} />;
  }
  // One that is named and not theirs is no reason to make it in another.
  const instance =
    search.instance === undefined ? instances[0] : instances.find(({ name }) => name === search.instance);
  const kinds = instance ? POLICY_KINDS.filter(({ value }) => kindsFor(instance).includes(value)) : [];
  const kind = kinds.find(({ path }) => path === search.policy) ?? kinds[0];
  if (!instance || !kind)
    return <Blank title={t('policyEdit.mayMakeNone')} hint={t('policyEdit.mayMakeNoneHint')} />;
  const namespace = namespacesFor(instance, kind.value)?.[0] ?? 'default';
  return (
    <div className="page">
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link to="/policies" search={{}}>
          {t('policies.title')}
        </Link>
      </nav>
      <PageHead />
      <div className="filters">
        <Select
          className="filter-words"
          aria-label={t('app.instance')}
          value={instance.name}
          options={instances.map(({ name }) => ({ value: name, label: name }))}
          onChange={(instance) => void navigate({ to: '.', search: (before) => ({ ...before, instance }) })}
        />
        <Select
          className="filter-namespaces"
          aria-label={t('filter.kind')}
          value={kind.path}
          options={kinds.map(({ path, kind }) => ({ value: path, label: kind }))}
          onChange={(policy) => void navigate({ to: '.', search: (before) => ({ ...before, policy }) })}
        />
      </div>
      <Editor
        key={`${kind.path} ${namespace}`}
        instance={instance.name}
        kind={kind}
        template={templateOf(kind.value, kind.kind, namespace)}
        as={search.as}
        show={(as) => void navigate({ to: '.', search: (before) => ({ ...before, as }), replace: true })}
      />
    </div>
  );
}

interface EditorProps {
  instance: string;
  kind: (typeof POLICY_KINDS)[number];
  template: string;
  as: 'yaml' | undefined;
  show: (as: 'yaml' | undefined) => void;
}

function Editor({ instance, kind, template, as, show }: EditorProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const editing = usePolicyText(template);
  const { text, incomplete } = editing;
  /** What was looked at, and where: another instance is another preview. */
  const [previewed, setPreviewed] = useState<{ text: string; instance: string } | null>(null);
  const [told, setTold] = useState<Told | null>(null);
  const { run, pending } = useAction(
    {
      document: CreatePolicyDocument,
      payload: (data) => data.createPolicy,
      done: ({ policy }) => t('policyEdit.created', { name: policy?.name }),
      failed: t('policyEdit.notCreated'),
    },
    { showsRefusals: true },
  );
  const current = !incomplete && previewed?.text === text && previewed.instance === instance;
  const create = async () => {
    const outcome = await run({ instance, manifest: text });
    if (!outcome.done)
      return setTold({ text, refusals: outcome.refusals, failed: t('policyEdit.notCreated') });
    const { policy } = outcome.result;
    if (!policy) return;
    const made = POLICY_KINDS.find((known) => known.kind === policy.kind) ?? kind;
    void navigate({
      to: '/policies/$instance/$namespace/$kind/$name',
      params: { instance, namespace: policy.namespace ?? NO_NAMESPACE, kind: made.path, name: policy.name },
    });
  };
  const Impact = kind.value.endsWith('OVERRIDE') ? OverrideImpact : PropagationImpact;
  return (
    <div className="policy-edit">
      <section>
        <PolicyEditor
          policy={editing}
          instance={instance}
          label={t('policyEdit.newEditor')}
          named={false}
          told={told}
          as={as}
          show={show}
        />
        <div className="action-buttons">
          <Button disabled={incomplete} onClick={() => setPreviewed({ text, instance })}>
            {t('policyEdit.preview')}
          </Button>
          <Button type="primary" disabled={!current} loading={pending} onClick={() => void create()}>
            {t('policyEdit.create')}
          </Button>
        </div>
      </section>
      <section aria-label={t('policyEdit.impact')}>
        <h2>{t('policyEdit.impact')}</h2>
        {previewed ? (
          <>
            {!current && <Alert type="info" showIcon title={t('policyEdit.editedSince')} />}
            <Impact
              key={`${previewed.instance} ${previewed.text}`}
              instance={previewed.instance}
              manifest={previewed.text}
              tell={(refusals) => setTold({ text: previewed.text, refusals })}
            />
          </>
        ) : (
          <p className="muted">{t('policyEdit.newHint')}</p>
        )}
      </section>
    </div>
  );
}
