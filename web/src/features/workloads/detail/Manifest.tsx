import { Button, Skeleton } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type {
  ManifestLiveSubscription,
  ManifestLiveSubscriptionVariables,
  WorkloadDetailFragment,
} from '../../../graph/generated/graphql';
import { ManifestLiveDocument, WorkloadManifestDocument } from '../../../graph/generated/graphql';
import type { FeedSource } from '../../../graph/live/useFeeds';
import { useFeeds } from '../../../graph/live/useFeeds';
import { problemsOf } from '../../../graph/problems';
import { Failed, Problems } from '../../../ui/Notices';
import { Stale } from '../../../ui/Stale';
import { YamlView } from '../../../ui/YamlView';

type Template = NonNullable<ManifestLiveSubscription['resources']['node']>;

const LIVE: FeedSource<ManifestLiveSubscription, ManifestLiveSubscriptionVariables, Template> = {
  document: ManifestLiveDocument,
  change: (data) => data.resources,
};

/**
 * The template: as the read store holds it until its feed tells. A default export, so that the editor is fetched
 * when wanted.
 */
export default function Manifest({ workload }: { workload: WorkloadDetailFragment }) {
  const { t } = useTranslation();
  const [{ data, error, fetching }, refetch] = useQuery({
    query: WorkloadManifestDocument,
    variables: { id: workload.id },
  });
  const [copied, setCopied] = useState(false);
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
      </div>
      <YamlView text={manifest} label={t('workload.yamlLabel', { name: workload.name })} />
    </section>
  );
}
