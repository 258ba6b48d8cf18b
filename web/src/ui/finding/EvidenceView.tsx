import { useTranslation } from 'react-i18next';
import type { FindingFieldsFragment } from '../../graph/generated/graphql';
import { ToneIcon } from '../tone';
import type { Affinity, Requirement } from './evidence';
import { affinitiesOf, compare, halvesOf, labelsOf, subjectOf, taintsOf } from './evidence';

type Finding = FindingFieldsFragment;
type Evidence = Finding['evidence'][number];

/** What was seen, and where; beside what a placement asks for where that is what decides. */
export function EvidenceView({ finding }: { finding: Finding }) {
  const { code, evidence } = finding;
  const { asked, seen } = halvesOf(evidence);
  const affinities = code === 'AFFINITY_NOT_MATCHED' && asked ? affinitiesOf(asked.value) : null;
  if (affinities) {
    const clusters = seen.filter(({ object }) => subjectOf(object)?.kind === 'Cluster');
    return (
      <>
        <div className="evidence-sides">
          <Asked affinities={affinities} />
          <ClustersHave clusters={clusters} affinities={affinities} />
        </div>
        <EvidenceTable rows={seen.filter((row) => !clusters.includes(row))} />
      </>
    );
  }
  if (code === 'TAINT_NOT_TOLERATED' && taintsOf(seen).length > 0) {
    const clusters = seen.filter(({ field }) => field === 'spec.taints');
    return (
      <>
        <div className="evidence-sides">
          <Tolerated asked={asked} />
          <ClustersHave clusters={clusters} affinities={[]} />
        </div>
        <EvidenceTable rows={seen.filter((row) => !clusters.includes(row))} />
      </>
    );
  }
  return <EvidenceTable rows={asked ? [...seen, asked] : seen} />;
}

function Asked({ affinities }: { affinities: readonly Affinity[] }) {
  const { t } = useTranslation();
  return (
    <div>
      <h4>{t('finding.asks')}</h4>
      {affinities.map(({ name, requirements }, index) => (
        <div key={name || index}>
          {name && <p className="muted small">{t('finding.group', { name })}</p>}
          <ul className="requirements">
            {requirements.map((requirement, at) => (
              <li key={at} className="mono">
                <RequirementText requirement={requirement} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function RequirementText({ requirement: { of, key, operator, values } }: { requirement: Requirement }) {
  const { t } = useTranslation();
  const subject =
    of === 'label' ? key : of === 'name' || of === 'exclude' ? t(`finding.requirement.${of}`) : of;
  const [only] = values;
  if (operator === 'In' && values.length === 1) return `${subject} = ${only ?? ''}`;
  if (of === 'exclude') return `${subject} ${values.join(', ')}`;
  return [subject, t(`finding.requirement.${operator}`), values.length > 0 && `(${values.join(', ')})`]
    .filter(Boolean)
    .join(' ');
}

interface ClustersHaveProps {
  clusters: readonly Evidence[];
  affinities: readonly Affinity[];
}

/** What each cluster has of what is asked, and which of it it lacks. */
function ClustersHave({ clusters, affinities }: ClustersHaveProps) {
  const { t } = useTranslation();
  const requirements = affinities.flatMap((affinity) => affinity.requirements);
  return (
    <div>
      <h4>{t('finding.has')}</h4>
      <dl className="has">
        {clusters.map((row) => (
          <div key={row.object}>
            <dt>{subjectOf(row.object)?.name ?? row.object}</dt>
            <dd className="mono wrap">
              <Has row={row} requirements={requirements} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Has({
  row: { field, value },
  requirements,
}: {
  row: Evidence;
  requirements: readonly Requirement[];
}) {
  const { t } = useTranslation();
  const labels = field === 'metadata.labels' ? labelsOf(value) : null;
  const compared = labels ? compare(requirements, labels) : [];
  if (compared.length === 0) return <span title={field}>{value}</span>;
  return (
    <ul>
      {compared.map(({ requirement: { key }, actual, holds }) => (
        <li key={key} className={`has-label tone-${holds ? 'ok' : 'bad'}`}>
          <ToneIcon tone={holds ? 'ok' : 'bad'} />
          <span>
            {key}
            {actual === null ? <em> {t('finding.hasNot')}</em> : ` = ${actual}`}
          </span>
        </li>
      ))}
      {value !== '(none)' && <li className="muted small">{value.split(',').join(', ')}</li>}
    </ul>
  );
}

function Tolerated({ asked }: { asked: Evidence | null }) {
  const { t } = useTranslation();
  const tolerations = asked ? tolerationsOf(asked.value) : [];
  return (
    <div>
      <h4>{t('finding.tolerates')}</h4>
      {tolerations.length === 0 ? (
        <p className="muted">{t('finding.toleratesNothing')}</p>
      ) : (
        <ul className="requirements">
          {tolerations.map((text) => (
            <li key={text} className="mono">
              {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface RawToleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
}

/** Each in one line; the text as it is where it was cut. */
function tolerationsOf(json: string): string[] {
  try {
    return (JSON.parse(json) as RawToleration[]).map(({ key = '*', operator, value, effect = '*' }) =>
      operator === 'Exists' || value === undefined ? `${key}:${effect}` : `${key}=${value}:${effect}`,
    );
  } catch {
    return [json];
  }
}

export function EvidenceTable({ rows }: { rows: readonly Evidence[] }) {
  const { t } = useTranslation();
  if (rows.length === 0) return null;
  return (
    <table className="evidence">
      <thead>
        <tr>
          <th scope="col">{t('finding.object')}</th>
          <th scope="col">{t('finding.field')}</th>
          <th scope="col">{t('finding.value')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ object, field, value }, index) => (
          <tr key={`${object} ${field} ${index}`}>
            <td>{object}</td>
            <td className="mono muted">{field}</td>
            <td className="mono evidence-value">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
