import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { MemberManifestDocument } from '../../../graph/generated/graphql';
import { problemsOf } from '../../../graph/problems';
import { Problems } from '../../../ui/Notices';
import { Refresh } from '../../../ui/page/Refresh';
import { useAsOf } from '../../../ui/page/asOf';
import { YamlView } from '../../../ui/YamlView';

/** An object as its member has it. A default export, so that the editor is fetched when wanted. */
export default function MemberYaml({ id, label }: { id: string; label: string }) {
  const { t } = useTranslation();
  const [{ data, error, fetching }, refetch] = useQuery({
    query: MemberManifestDocument,
    variables: { id },
    requestPolicy: 'network-only',
  });
  const asOf = useAsOf(fetching);
  const retry = () => refetch({ requestPolicy: 'network-only' });
  const manifest = data?.node && 'manifest' in data.node ? data.node.manifest : null;
  if (manifest == null && fetching) return <Skeleton active title={false} paragraph={{ rows: 6 }} />;
  return (
    <div className="member-yaml">
      <Problems problems={problemsOf(error)} retry={retry} />
      {asOf && <Refresh asOf={asOf} loading={fetching} read={retry} />}
      {manifest == null ? (
        <p className="muted">{t('workload.yamlEmpty')}</p>
      ) : (
        <YamlView text={manifest} label={label} />
      )}
    </div>
  );
}
