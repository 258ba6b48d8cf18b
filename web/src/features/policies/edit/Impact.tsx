import { Alert, Skeleton } from 'antd';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { PreviewObjectFieldsFragment } from '../../../graph/generated/graphql';
import { PreviewOverrideDocument, PreviewPropagationDocument } from '../../../graph/generated/graphql';
import { problemsOf } from '../../../graph/problems';
import type { Refusal } from '../../../ui/action/refusals';
import { refusalsOf, refusalText } from '../../../ui/action/refusals';
import { Problems } from '../../../ui/Notices';
import { StateBadge } from '../../../ui/tone';
import type { ImpactRow } from './impact';
import { countsOf, movesOf, moveText, sortedByImpact, TONE_OF_CHANGE } from './impact';

/** As many objects as one preview shows. */
const FIRST = 200;

interface ImpactProps {
  instance: string;
  /** The policy as it would be. */
  manifest: string;
  /** Is told why it would be refused, for the fields that are to blame to say so. */
  tell: (refusals: readonly Refusal[]) => void;
}

/** Which objects a propagation policy would gain, lose and move, cluster by cluster. */
export function PropagationImpact({ instance, manifest, tell }: ImpactProps) {
  const { t } = useTranslation();
  const [{ data, error, fetching }, read] = useQuery({
    query: PreviewPropagationDocument,
    variables: useMemo(() => ({ input: { instance, manifest }, first: FIRST }), [instance, manifest]),
    requestPolicy: 'network-only',
  });
  const preview = data?.previewPropagationPolicy;
  useTold(fetching ? null : refusalsOf(preview?.refusals ?? [], error, t), tell);
  if (fetching) return <Skeleton active paragraph={{ rows: 4 }} />;
  const rows = preview?.rows?.nodes ?? [];
  return (
    <div className="impact" data-impact>
      <Problems problems={problemsOf(error)} retry={() => read({ requestPolicy: 'network-only' })} />
      {preview && (
        <>
          <Refusals refusals={preview.refusals} />
          <p className="impact-counts">
            {rows.length === 0 && t('policyEdit.concernsNothing')}
            {countsOf(rows).map(({ change, count }) => (
              <StateBadge key={change} tone={TONE_OF_CHANGE[change]}>
                {t(`policyEdit.counts.${change}`, { count })}
              </StateBadge>
            ))}
          </p>
          <ul className="impact-rows">
            {sortedByImpact(rows).map((row) => (
              <Row key={nameOf(row.object)} row={row} />
            ))}
          </ul>
          {preview.rows?.pageInfo.hasNextPage && (
            <p className="muted">
              {t('policyEdit.more', { shown: FIRST, total: preview.rows.totalCount ?? '?' })}
            </p>
          )}
          <Findings findings={preview.findings} />
        </>
      )}
    </div>
  );
}

/** Tells once what an answer says against the policy. */
function useTold(refusals: readonly Refusal[] | null, tell: ImpactProps['tell']) {
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
  });
  const said = refusals && JSON.stringify(refusals);
  useEffect(() => {
    if (said !== null) latest.current(JSON.parse(said) as Refusal[]);
  }, [said]);
}

function Row({ row }: { row: ImpactRow }) {
  const { t } = useTranslation();
  return (
    <li className={`impact-row tone-${TONE_OF_CHANGE[row.change]}`} data-change={row.change}>
      <p className="wrap">
        <StateBadge tone={TONE_OF_CHANGE[row.change]}>{t(`policyEdit.change.${row.change}`)}</StateBadge>{' '}
        <span className="kind">{row.object.kind}</span> <strong>{nameOf(row.object)}</strong>
        {row.by && (
          <span className="muted">
            {' '}
            {t(row.change === 'LOST' ? 'policyEdit.to' : 'policyEdit.from', { policy: nameOf(row.by) })}
          </span>
        )}
      </p>
      <ul className="moves">
        {movesOf(row).map((move) => (
          <li key={move.cluster} className={`chip tone-${move.tone}`} data-move={move.cluster}>
            <span>{move.cluster}</span> <span className="chip-count">{moveText(move)}</span>
          </li>
        ))}
      </ul>
      {row.change !== 'UNCHANGED' && <p className="muted small wrap">{row.reason}</p>}
      <Findings findings={row.findings} />
    </li>
  );
}

/** Which fields an override policy would change, cluster by cluster. */
export function OverrideImpact({ instance, manifest, tell }: ImpactProps) {
  const { t } = useTranslation();
  const [{ data, error, fetching }, read] = useQuery({
    query: PreviewOverrideDocument,
    variables: useMemo(() => ({ input: { instance, manifest }, first: FIRST }), [instance, manifest]),
    requestPolicy: 'network-only',
  });
  const preview = data?.previewOverridePolicy;
  useTold(fetching ? null : refusalsOf(preview?.refusals ?? [], error, t), tell);
  if (fetching) return <Skeleton active paragraph={{ rows: 4 }} />;
  const rows = preview?.rows?.nodes ?? [];
  return (
    <div className="impact" data-impact>
      <Problems problems={problemsOf(error)} retry={() => read({ requestPolicy: 'network-only' })} />
      {preview && (
        <>
          <Refusals refusals={preview.refusals} />
          {rows.length === 0 && <p>{t('policyEdit.reachesNothing')}</p>}
          <ul className="impact-rows">
            {rows.map(({ object, clusters }) => (
              <li key={nameOf(object)} className="impact-row tone-idle">
                <p className="wrap">
                  <span className="kind">{object.kind}</span> <strong>{nameOf(object)}</strong>
                </p>
                {clusters.map(({ clusterName, changes, problem }) => (
                  <div key={clusterName} className="wrap">
                    {clusterName}: {changes.length === 0 && !problem && t('policyEdit.sameThere')}
                    {problem && <span className="wrong">{problem}</span>}
                    {changes.map(({ path, from, to }) => (
                      <div key={path} className="small wrap">
                        <span className="mono">{path}</span> <del>{from}</del> → <ins>{to}</ins>
                      </div>
                    ))}
                  </div>
                ))}
              </li>
            ))}
          </ul>
          <Findings findings={preview.findings} />
        </>
      )}
    </div>
  );
}

function Refusals({ refusals }: { refusals: readonly { message: string; field: string[] | null }[] | null }) {
  const { t } = useTranslation();
  return (refusals ?? []).map((refusal) => (
    <Alert
      key={refusal.message}
      type="error"
      showIcon
      title={t('policyEdit.wouldBeRefused')}
      description={refusalText(refusal)}
    />
  ));
}

function Findings({ findings }: { findings: readonly { code: string; message: string }[] }) {
  return findings.map(({ code, message }) => (
    <p key={code + message} className="muted small wrap" data-finding={code}>
      {message}
    </p>
  ));
}

function nameOf({ namespace, name }: PreviewObjectFieldsFragment): string {
  return (namespace ? `${namespace}/` : '') + name;
}
