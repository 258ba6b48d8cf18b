import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { MendImpactQuery, PreviewPropagationPolicyInput } from '../../../../graph/generated/graphql';
import { MendImpactDocument } from '../../../../graph/generated/graphql';
import { problemsOf } from '../../../../graph/problems';
import { refusalText } from '../../../../ui/action/refusals';
import { Problems } from '../../../../ui/Notices';
import { ToneIcon } from '../../../../ui/tone';
import { placesText } from './places';

type Preview = NonNullable<MendImpactQuery['previewPropagationPolicy']>;
type Row = NonNullable<Preview['rows']>['nodes'][number];

/** What a change of a policy would do to everything that it claims, before it is done. Null asks nothing. */
export function Impact({ input }: { input: PreviewPropagationPolicyInput | null }) {
  const { t } = useTranslation();
  const [{ data, error, fetching }] = useQuery({
    query: MendImpactDocument,
    variables: { input: input ?? { instance: '' } },
    pause: input === null,
    requestPolicy: 'network-only',
  });
  if (input === null) return null;
  const preview = data?.previewPropagationPolicy;
  return (
    <section className="impact" aria-live="polite" aria-busy={fetching}>
      <h3>{t('why.impact')}</h3>
      <Problems problems={problemsOf(error)} />
      {fetching && !preview && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
      {preview && <Shown preview={preview} />}
    </section>
  );
}

function Shown({ preview }: { preview: Preview }) {
  const { t } = useTranslation();
  const rows = preview.rows?.nodes ?? [];
  const more = (preview.rows?.totalCount ?? rows.length) - rows.length;
  return (
    <>
      {preview.refusals?.map((refusal) => (
        <p key={refusalText(refusal)} className="impact-refusal tone-bad">
          <ToneIcon tone="bad" /> {refusalText(refusal)}
        </p>
      ))}
      {rows.length === 0 && <p className="muted">{t('why.noImpact')}</p>}
      <ul className="impact-rows">
        {rows.map((row) => (
          <ImpactRow key={`${row.object.kind} ${row.object.namespace ?? ''}/${row.object.name}`} row={row} />
        ))}
      </ul>
      {more > 0 && <p className="muted small">{t('finding.more', { count: more })}</p>}
      {preview.findings.map(({ code, message }) => (
        <p key={code} className="muted small" lang="en">
          {message}
        </p>
      ))}
    </>
  );
}

function ImpactRow({ row: { object, change, before, after, findings } }: { row: Row }) {
  const { t } = useTranslation();
  return (
    <li data-impact={object.name} data-change={change}>
      <span className="name">{object.name}</span> <span className="kind">{object.kind}</span>{' '}
      <span className="impact-change">{t(`why.change.${change}`)}</span>
      <div className="impact-places">
        {before.length > 0 && <span>{placesText(before)}</span>}
        {change !== 'UNCHANGED' && (
          <>
            <span aria-hidden="true">→</span>
            <span className="sr-only">{t('why.becomes')}</span>
            <strong>{after.length > 0 ? placesText(after) : t('why.nowhere')}</strong>
          </>
        )}
      </div>
      {findings.map(({ code, message }) => (
        <p key={code} className="muted small" lang="en">
          {message}
        </p>
      ))}
    </li>
  );
}
