import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Select, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { kindOfPath } from '../../../app/kinds';
import { WorkloadMakingDocument } from '../../../graph/generated/graphql';
import { problemsOf } from '../../../graph/problems';
import { Blank, Failed } from '../../../ui/Notices';
import { PageHead } from '../../../ui/page/PageHead';
import { Editor } from './Editor';
import { kindsFor, mayMakeIn, namespacesFor } from './making';
import './texts';

const FROM = '/signed-in/workloads/new';

/** Makes a workload, with the policies that take it to clusters and change it there. */
export function CreatePage() {
  const { t } = useTranslation();
  const { instance } = useSearch({ from: FROM });
  return (
    <div className="page">
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link to="/workloads" search={{ instance }}>
          {t('workloads.title')}
        </Link>
      </nav>
      <PageHead />
      <Content />
    </div>
  );
}

function Content() {
  const { t } = useTranslation();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: '/workloads/new' });
  const [{ data, error, fetching }, read] = useQuery({ query: WorkloadMakingDocument });
  const all = data?.instances?.nodes;
  if (!all) {
    if (fetching) return <Skeleton active paragraph={{ rows: 10 }} />;
    return <Failed problems={problemsOf(error)} retry={() => read({ requestPolicy: 'network-only' })} />;
  }
  const instances = mayMakeIn(all);
  const [instance] = mayMakeIn(all, search.instance);
  if (!instance) return <Blank title={t('compose.notAllowed')} hint={t('compose.notAllowedHint')} />;
  const wanted = kindOfPath(search.kind?.[0] ?? '');
  const kind = wanted ?? kindsFor(instance)[0] ?? 'DEPLOYMENT';
  return (
    <>
      <div className="filters">
        <Select
          className="filter-words"
          aria-label={t('app.instance')}
          value={instance.name}
          options={instances.map(({ name }) => ({ value: name, label: name }))}
          onChange={(chosen) =>
            void navigate({ to: '.', search: (before) => ({ ...before, instance: chosen }) })
          }
        />
      </div>
      <Editor
        key={instance.name}
        instance={instance}
        kind={kind}
        namespace={search.namespace?.[0] ?? namespacesFor(instance, kind)?.[0] ?? ''}
      />
    </>
  );
}
