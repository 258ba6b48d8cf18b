import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Alert, Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { DeleteButton } from '../../../app/DeleteButton';
import { ObjectEvents } from '../../../app/events/ObjectEvents';
import { namespaceOfPath, POLICY_KINDS } from '../../../app/objects';
import type { PolicyDetailFragment } from '../../../graph/generated/graphql';
import { DeletePolicyDocument } from '../../../graph/generated/graphql';
import { ManifestText } from '../../../ui/ManifestText';
import { Blank, Failed, NoInstance, Problems } from '../../../ui/Notices';
import { Tabs } from '../../../ui/page/Tabs';
import { Stale } from '../../../ui/Stale';
import { StateBadge } from '../../../ui/tone';
import { Claims } from './Claims';
import { Saying } from './Saying';
import { Settings } from './Settings';
import type { PolicyName } from './usePolicy';
import { usePolicy } from './usePolicy';

const EditTab = lazy(() => import('../edit/EditTab'));

const FROM = '/signed-in/policies/$instance/$namespace/$kind/$name';

export function PolicyPage() {
  const { t } = useTranslation();
  const { instance, kind: path, name, ...params } = useParams({ from: FROM });
  const namespace = namespaceOfPath(params.namespace);
  const kind = POLICY_KINDS.find((known) => known.path === path);
  return (
    <div className="page">
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link to="/policies" search={{}}>
          {t('policies.title')}
        </Link>
        <Link to="/policies" search={{ instance }}>
          {instance}
        </Link>
        {namespace && (
          <Link to="/policies" search={{ instance, namespace: [namespace] }}>
            {namespace}
          </Link>
        )}
      </nav>
      {kind ? (
        <Loaded
          key={`${instance}/${params.namespace}/${path}/${name}`}
          name={{ instance, kind, namespace, name }}
        />
      ) : (
        <NotThere />
      )}
    </div>
  );
}

function Loaded({ name }: { name: PolicyName }) {
  const { t } = useTranslation();
  const view = usePolicy(name);
  if (view.policy) return <Shown name={name} policy={view.policy} view={view} />;
  if (view.loading) return <Skeleton active paragraph={{ rows: 10 }} />;
  if (view.noInstance) {
    return (
      <NoInstance instance={name.instance}>
        <Link to="/policies">{t('app.allInstances')}</Link>
      </NoInstance>
    );
  }
  if (view.missing) return <NotThere />;
  return <Failed problems={view.problems} retry={view.retry} />;
}

interface ShownProps {
  name: PolicyName;
  policy: PolicyDetailFragment;
  view: ReturnType<typeof usePolicy>;
}

function Shown({ name: { instance, kind, namespace }, policy, view }: ShownProps) {
  const { t } = useTranslation();
  const { tab, as, after } = useSearch({ from: FROM });
  const navigate = useNavigate();
  return (
    <>
      <div className="page-head detail-head">
        <h1>
          {policy.name} <span className="kind">{policy.kind}</span>
        </h1>
        {'suspension' in policy && policy.suspension && (
          <StateBadge tone="idle">{t('policies.suspended')}</StateBadge>
        )}
        <span className="page-gap" />
        {!view.deleted && (
          <DeleteButton
            permission={{
              instance,
              verb: 'DELETE',
              group: 'policy.karmada.io',
              resource: kind.resource,
              namespace,
            }}
            object={policy}
            document={DeletePolicyDocument}
            payload={(data) => data.deletePolicy}
            after={() => void navigate({ to: '/policies', search: { instance } })}
          />
        )}
      </div>
      {view.deleted && <Alert type="warning" showIcon title={t('policies.deleted')} />}
      {!view.deleted && policy.deletedAt && (
        <Alert type="warning" showIcon title={t('policies.deletingHint')} />
      )}
      <Problems problems={view.problems} retry={view.retry} />
      <Stale unwatched={[{ instance, problems: view.liveProblems }]} />
      <Tabs
        label={policy.name}
        current={tab}
        tabs={[
          { tab: undefined, label: t('policies.overview') },
          { tab: 'events', label: t('events.title') },
          { tab: 'yaml', label: t('policies.yaml') },
          ...(view.mayChange && !view.deleted ? [{ tab: 'edit', label: t('policyEdit.tab') }] : []),
        ]}
      />
      {tab === 'edit' ? (
        <Edit
          policy={policy}
          instance={instance}
          mayChange={view.mayChange}
          as={as}
          show={(as) => void navigate({ to: '.', search: (before) => ({ ...before, as }), replace: true })}
        />
      ) : tab === 'yaml' ? (
        <ManifestText text={policy.manifest} name={policy.name} />
      ) : tab === 'events' ? (
        <ObjectEvents instance={instance} object={policy} />
      ) : (
        <div className="detail">
          <div className="detail-main">
            <Saying policy={policy} />
            <Claims policy={policy} instance={instance} after={after} />
          </div>
          <Settings policy={policy} />
        </div>
      )}
    </>
  );
}

interface EditProps {
  policy: PolicyDetailFragment;
  instance: string;
  mayChange: boolean | null;
  as: 'yaml' | undefined;
  show: (as: 'yaml' | undefined) => void;
}

function Edit({ mayChange, ...tab }: EditProps) {
  const { t } = useTranslation();
  if (mayChange === false) return <p className="muted">{t('policyEdit.mayNot')}</p>;
  return (
    <Suspense fallback={<Skeleton active paragraph={{ rows: 12 }} />}>
      <EditTab {...tab} />
    </Suspense>
  );
}

function NotThere() {
  const { t } = useTranslation();
  return (
    <Blank title={t('policies.notThere')} hint={t('policies.notThereHint')}>
      <Link to="/policies">{t('policies.back')}</Link>
    </Blank>
  );
}
