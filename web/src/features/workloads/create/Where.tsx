import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { PreviewWorkloadDocument } from '../../../graph/generated/graphql';
import { problemsOf } from '../../../graph/problems';
import { Problems } from '../../../ui/Notices';
import { ToneIcon } from '../../../ui/tone';
import type { TriedDocument } from './preview';
import { barsOf, workloadOf } from './preview';

/** What was asked about, and where. */
export interface Looked {
  instance: string;
  manifests: string;
}

const NOTHING: Looked = { instance: '', manifests: '' };

/** What the server says of manifests, as it was asked last; null while it is asked. */
export function usePreview(looked: Looked | null) {
  const [{ data, error, fetching, operation }, read] = useQuery({
    query: PreviewWorkloadDocument,
    variables: { input: looked ?? NOTHING },
    requestPolicy: 'network-only',
    pause: looked === null,
  });
  const asked = operation?.variables.input;
  const isOfThese =
    looked !== null && asked?.manifests === looked.manifests && asked.instance === looked.instance;
  return {
    preview: isOfThese && !fetching ? (data?.previewManifests ?? null) : null,
    problems: isOfThese && !fetching ? problemsOf(error) : [],
    fetching,
    retry: () => read({ requestPolicy: 'network-only' }),
  };
}

interface WhereProps extends Pick<
  ReturnType<typeof usePreview>,
  'preview' | 'problems' | 'fetching' | 'retry'
> {
  /** It was edited since it was asked about. */
  outdated: boolean;
  /** What is there is to be changed, not made. */
  exists?: boolean;
}

/** Where it would go, cluster by cluster, and what would be made. */
export function Where({ preview, problems, fetching, retry, outdated, exists = false }: WhereProps) {
  const { t } = useTranslation();
  const workload = preview && workloadOf(preview.documents);
  return (
    <section className="where" aria-label={t('compose.where')} aria-busy={fetching} data-where>
      <h2>{t('compose.where')}</h2>
      <Problems problems={problems} retry={retry} />
      {!preview && problems.length === 0 && (
        <p className="muted">{t(fetching ? 'compose.looking' : 'compose.whereHint')}</p>
      )}
      {preview && (
        <>
          {outdated && <p className="muted small">{t('compose.editedSince')}</p>}
          {workload && workload.change !== 'REFUSED' && <Picture workload={workload} />}
          {!exists && <Objects documents={preview.documents} />}
          {[...preview.findings, ...(workload?.findings ?? [])].map(({ code, message }) => (
            <p key={code + message} className="muted small wrap" data-finding={code}>
              {message}
            </p>
          ))}
        </>
      )}
    </section>
  );
}

function Picture({ workload }: { workload: TriedDocument }) {
  const { t } = useTranslation();
  const bars = barsOf(workload.after);
  const { claimedBy } = workload;
  return (
    <>
      <p className="muted small">
        {claimedBy
          ? t('compose.claimedBy', { kind: claimedBy.kind, name: claimedBy.name })
          : t('compose.unclaimed')}
        {claimedBy && bars.length === 0 && ` ${t('compose.goesNowhere')}`}
      </p>
      <ul className="where-bars">
        {bars.map(({ cluster, replicas, share }) => (
          <li key={cluster} data-cluster={cluster} data-replicas={replicas ?? undefined}>
            <span className="where-cluster" title={cluster}>
              {cluster}
            </span>
            <span className="where-bar" aria-hidden="true">
              <span style={{ width: `${share * 100}%` }} />
            </span>
            <span className="where-count">
              {replicas === null ? t('compose.inCluster') : t('compose.replicasIn', { count: replicas })}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

const TONES = { CREATED: 'ok', CONFIGURED: 'bad', UNCHANGED: 'bad', REFUSED: 'bad' } as const;

function Objects({ documents }: { documents: readonly TriedDocument[] }) {
  const { t } = useTranslation();
  return (
    <>
      <h3 className="small">{t('compose.objects')}</h3>
      <ul className="where-objects">
        {documents.map(({ index, kind, name, change, error }) => (
          <li
            key={index}
            className={`tone-${TONES[change]}`}
            data-document={kind ?? undefined}
            data-change={change}
          >
            <ToneIcon tone={TONES[change]} /> <span className="kind">{kind}</span> {name}{' '}
            <span className="muted small">{t(`compose.change.${change}`)}</span>
            {error && (
              <Alert type="error" showIcon title={t('compose.refused')} description={error.message} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
