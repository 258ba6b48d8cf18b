import { Button, Skeleton } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { resourceOf } from '../../../app/kinds';
import { usePermission } from '../../../app/permission';
import type {
  ManifestLiveSubscription,
  ManifestLiveSubscriptionVariables,
  WorkloadDetailFragment,
  WorkloadKind,
} from '../../../graph/generated/graphql';
import { ManifestLiveDocument, WorkloadManifestDocument } from '../../../graph/generated/graphql';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import { problemsOf } from '../../../graph/problems';
import { Failed, Problems } from '../../../ui/Notices';
import { Stale } from '../../../ui/Stale';
import { YamlView } from '../../../ui/YamlView';
import { EditYaml } from './yaml/EditYaml';

type Template = NonNullable<ManifestLiveSubscription['resources']['node']>;

const LIVE: FeedSource<ManifestLiveSubscription, ManifestLiveSubscriptionVariables, Template> = {
  document: ManifestLiveDocument,
  change: (data) => data.resources,
};

interface ManifestProps {
  workload: WorkloadDetailFragment;
  kind: WorkloadKind;
}

/**
 * The template: as the read store holds it until its feed tells. A default export, so that the editor is fetched
 * when wanted.
 */
export default function Manifest({ workload, kind: workloadKind }: ManifestProps) {
  const { t } = useTranslation();
  // What was edited, as it was when editing began.
  const [base, setBase] = useState<string | null>(null);
  const [{ data, error, fetching }, refetch] = useQuery({
    query: WorkloadManifestDocument,
    variables: { id: workload.id },
  });
  const retry = () => refetch({ requestPolicy: 'network-only' });
  const { instance, apiVersion, kind, id } = workload;
  const feed = useFeeds(
    LIVE,
    useMemo(
      (): Record<string, ManifestLiveSubscriptionVariables> =>
        instance ? { [id]: { instance: instance.name, apiVersion, kind, ids: [id] } } : {},
      [instance, apiVersion, kind, id],
    ),
  ).get(id);
  const [told] = feed?.view.live.values() ?? [];
  const manifest = told?.manifest ?? (data?.node && 'manifest' in data.node ? data.node.manifest : null);
  const problems = problemsOf(error);

  if (manifest == null) {
    if (fetching) return <Skeleton active paragraph={{ rows: 12 }} />;
    if (problems.length > 0) return <Failed problems={problems} retry={retry} />;
    return <p className="muted">{t('workload.yamlEmpty')}</p>;
  }
  return (
    <section className="manifest">
      <Problems problems={problems} retry={retry} />
      <Stale unwatched={[{ instance: instance?.name ?? '', problems: feed?.problems ?? [] }]} />
      {base === null ? (
        <ReadYaml
          workload={workload}
          kind={workloadKind}
          manifest={manifest}
          edit={() => setBase(manifest)}
        />
      ) : (
        <EditYaml workload={workload} base={base} now={manifest} close={() => setBase(null)} />
      )}
    </section>
  );
}

interface ReadYamlProps extends ManifestProps {
  manifest: string;
  edit: () => void;
}

function ReadYaml({ workload, kind, manifest, edit }: ReadYamlProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const { instance, namespace } = workload;
  const { allowed, reason } = usePermission({
    instance: instance?.name ?? '',
    verb: 'PATCH',
    ...resourceOf(kind),
    namespace,
  });
  return (
    <>
      <div className="manifest-actions">
        <Button
          size="small"
          onClick={() => {
            void navigator.clipboard.writeText(manifest).then(() => {
              setCopied(true);
              setTimeout(() => setCopied(false), 2_000);
            });
          }}
        >
          <span aria-live="polite">{copied ? t('workload.copied') : t('workload.copy')}</span>
        </Button>
        {allowed && (
          <Button size="small" onClick={edit}>
            {t('edit.button')}
          </Button>
        )}
        {allowed === false && (
          <span className="muted small" data-not-allowed="edit" title={reason}>
            {t('edit.notAllowed')}
          </span>
        )}
      </div>
      <YamlView text={manifest} label={t('workload.yamlLabel', { name: workload.name })} />
    </>
  );
}
