import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Alert, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { DeleteButton } from '../../../app/DeleteButton';
import { ObjectEvents } from '../../../app/events/ObjectEvents';
import { DeleteNamespaceButton } from '../../../app/namespaces/DeleteNamespace';
import type { ObjectType } from '../../../app/objects';
import { groupOf, namespaceOfPath, typeOf, typeText } from '../../../app/objects';
import type { ResourceDetailFragment } from '../../../graph/generated/graphql';
import { DeleteResourceDocument } from '../../../graph/generated/graphql';
import { ManifestText } from '../../../ui/ManifestText';
import { Blank, Failed, NoInstance, Problems } from '../../../ui/Notices';
import { Tabs } from '../../../ui/page/Tabs';
import { Stale } from '../../../ui/Stale';
import { useKinds } from '../useKinds';
import { Overview } from './Overview';
import type { ResourceName, ResourceView } from './useResource';
import { useResource } from './useResource';

const FROM = '/signed-in/resources/$instance/$type/$namespace/$name';

export function ResourcePage() {
  const { t } = useTranslation();
  const { instance, type: text, name, ...params } = useParams({ from: FROM });
  const namespace = namespaceOfPath(params.namespace);
  const type = typeOf(text);
  return (
    <div className="page">
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link to="/resources" search={{}}>
          {t('resources.title')}
        </Link>
        <Link to="/resources" search={{ instance }}>
          {instance}
        </Link>
        {type && (
          <Link to="/resources" search={{ instance, type: text }}>
            {type.kind}
          </Link>
        )}
        {type && namespace && (
          <Link to="/resources" search={{ instance, type: text, namespace: [namespace] }}>
            {namespace}
          </Link>
        )}
      </nav>
      {type ? (
        <Loaded
          key={`${instance}/${text}/${params.namespace}/${name}`}
          name={{ instance, ...type, namespace, name }}
        />
      ) : (
        <NotThere />
      )}
    </div>
  );
}

function Loaded({ name }: { name: ResourceName }) {
  const { t } = useTranslation();
  const view = useResource(name);
  if (view.resource) return <Shown name={name} resource={view.resource} view={view} />;
  if (view.loading) return <Skeleton active paragraph={{ rows: 10 }} />;
  if (view.noInstance) {
    return (
      <NoInstance instance={name.instance}>
        <Link to="/resources">{t('app.allInstances')}</Link>
      </NoInstance>
    );
  }
  if (view.missing) return <NotThere type={name} instance={name.instance} />;
  return <Failed problems={view.problems} retry={view.retry} />;
}

interface ShownProps {
  name: ResourceName;
  resource: ResourceDetailFragment;
  view: ResourceView;
}

function Shown({ name, resource, view }: ShownProps) {
  const { t } = useTranslation();
  const { instance, namespace } = name;
  const { tab } = useSearch({ from: FROM });
  const navigate = useNavigate();
  const { kinds } = useKinds(instance);
  const plural = kinds?.find(
    ({ apiVersion, kind }) => apiVersion === name.apiVersion && kind === name.kind,
  )?.name;
  const toList = () => void navigate({ to: '/resources', search: { instance, type: typeText(name) } });
  // It has a deletion of its own: everything in it is at stake.
  const namespaceItself = name.apiVersion === 'v1' && name.kind === 'Namespace';
  const secret = name.apiVersion === 'v1' && name.kind === 'Secret';
  return (
    <>
      <div className="page-head detail-head">
        <h1>
          {resource.name} <span className="kind">{resource.kind}</span>
        </h1>
        <span className="muted small">{resource.apiVersion}</span>
        <span className="page-gap" />
        {!view.deleted && namespaceItself && (
          <DeleteNamespaceButton namespace={{ ...resource, instance: { name: instance } }} after={toList} />
        )}
        {!view.deleted && plural && !namespaceItself && (
          <DeleteButton
            permission={{
              instance,
              verb: 'DELETE',
              group: groupOf(name.apiVersion),
              resource: plural,
              namespace,
            }}
            object={resource}
            document={DeleteResourceDocument}
            payload={(data) => data.deleteResource}
            after={toList}
          />
        )}
      </div>
      {view.deleted && <Alert type="warning" showIcon title={t('resources.deleted')} />}
      <Problems problems={view.problems} retry={view.retry} />
      <Stale unwatched={[{ instance, problems: view.liveProblems }]} />
      <Tabs
        label={resource.name}
        current={tab}
        tabs={[
          { tab: undefined, label: t('resources.overview') },
          { tab: 'events', label: t('events.title') },
          { tab: 'yaml', label: t('resources.yaml') },
        ]}
      />
      {tab === 'yaml' ? (
        <>
          {secret && <p className="muted">{t('resources.masked')}</p>}
          <ManifestText text={resource.manifest} name={resource.name} />
        </>
      ) : tab === 'events' ? (
        <ObjectEvents instance={instance} object={resource} />
      ) : (
        <Overview instance={instance} resource={resource} />
      )}
    </>
  );
}

function NotThere({ instance, type }: { instance?: string; type?: ObjectType }) {
  const { t } = useTranslation();
  return (
    <Blank title={t('resources.notThere')} hint={t('resources.notThereHint')}>
      <Link to="/resources" search={{ instance, type: type && typeText(type) }}>
        {t('resources.back')}
      </Link>
    </Blank>
  );
}
