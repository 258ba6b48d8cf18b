import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ObjectLink } from '../../../app/ObjectLink';
import { POLICY_KINDS } from '../../../app/objects';
import type { ResourceDetailFragment, Severity } from '../../../graph/generated/graphql';
import type { DataColumn } from '../../../ui/table/columns';
import { DataTable } from '../../../ui/table/DataTable';
import { StateBadge } from '../../../ui/tone';
import type { Tone } from '../../../ui/tones';
import { factOf, problemsFirst, toneOf } from '../where';

type Propagated = NonNullable<ResourceDetailFragment['propagation']>;
type Target = Propagated['targets'][number];
type Finding = NonNullable<Propagated['diagnosis']>[number];

interface PropagationProps {
  instance: string;
  resource: ResourceDetailFragment;
}

/** Which clusters hold an object, by which policy, and what stands in its way. */
export function Propagation({ instance, resource: { propagation } }: PropagationProps) {
  const { t } = useTranslation();
  if (!propagation) {
    return (
      <section>
        <h2>{t('resources.clusters')}</h2>
        <p className="muted">{t('resources.notPropagatedHint')}</p>
      </section>
    );
  }
  const { policy, requiredBy, diagnosis, targets } = propagation;
  return (
    <>
      {diagnosis && diagnosis.length > 0 && (
        <section>
          <h2>{t('resources.findings')}</h2>
          <ul className="findings">
            {diagnosis.map((finding, index) => (
              <FindingItem key={index} finding={finding} />
            ))}
          </ul>
        </section>
      )}
      <section>
        <div className="section-head">
          <h2>{t('resources.clusters')}</h2>
          {policy && (
            <span className="wrap">
              {t('resources.by')} <span className="kind">{policy.kind}</span>{' '}
              <ObjectLink instance={instance} object={policy} />
            </span>
          )}
          {requiredBy.map(({ namespace, name, binding }) => (
            <span key={`${namespace}/${name}`} className="wrap">
              {t('resources.requiredBy')}{' '}
              {binding?.template ? (
                <>
                  <span className="kind">{binding.template.kind}</span>{' '}
                  <ObjectLink instance={instance} object={binding.template} />
                </>
              ) : (
                name
              )}
            </span>
          ))}
        </div>
        <Clusters instance={instance} targets={targets} />
      </section>
    </>
  );
}

const SEVERITY: Record<Severity, Tone> = { ERROR: 'bad', WARNING: 'warn', INFO: 'idle' };

function FindingItem({ finding }: { finding: Finding }) {
  const { clusterName, message, remedy, evidence, severity, code } = finding;
  return (
    <li className={`finding tone-${SEVERITY[severity]}`} data-finding={code}>
      <p>
        <StateBadge tone={SEVERITY[severity]}>{clusterName ?? code}</StateBadge> {message}
      </p>
      {remedy && <p className="muted">{remedy}</p>}
      {evidence.map(({ object, field, value }) => (
        <p key={object + field} className="small wrap">
          <span className="muted">
            {object} <span className="mono">{field}</span>
          </span>{' '}
          <code>{value}</code>
        </p>
      ))}
    </li>
  );
}

const idOf = ({ clusterName }: Target) => clusterName;
const attributesOf = ({ clusterName }: Target) => ({ 'data-target': clusterName });

function Clusters({ instance, targets }: { instance: string; targets: readonly Target[] }) {
  const { t } = useTranslation();
  const rows = useMemo(() => problemsFirst(targets) as Target[], [targets]);
  const columns = useMemo(
    (): DataColumn<Target>[] => [
      {
        id: 'cluster',
        header: t('resources.cluster'),
        namesRow: true,
        cell: ({ clusterName }) => clusterName,
      },
      {
        id: 'state',
        header: t('resources.state'),
        attributes: (row) => ({ title: factOf(row).message, 'data-tone': toneOf(row) }),
        cell: (row) => <TargetState target={row} />,
      },
      {
        id: 'message',
        header: t('resources.message'),
        cell: (row) => (toneOf(row) === 'ok' ? null : factOf(row).message),
      },
      {
        id: 'overrides',
        header: t('resources.overrides'),
        cell: ({ overrides }) => <Overrides instance={instance} overrides={overrides ?? []} />,
      },
    ],
    [t, instance],
  );
  return (
    <DataTable
      name="where-table"
      label={t('resources.clusters')}
      columns={columns}
      rows={rows}
      rowId={idOf}
      rowAttributes={attributesOf}
      sorted
      empty={<p className="muted">{t('resources.nowhereHint')}</p>}
    />
  );
}

function TargetState({ target }: { target: Target }) {
  const { t } = useTranslation();
  const tone = toneOf(target);
  return <StateBadge tone={tone}>{tone === 'ok' ? t('resources.there') : factOf(target).reason}</StateBadge>;
}

interface OverridesProps {
  instance: string;
  overrides: NonNullable<Target['overrides']>;
}

function Overrides({ instance, overrides }: OverridesProps) {
  return overrides.map(({ policyKind, policyNamespace, policyName }) => (
    <div key={`${policyNamespace}/${policyName}`}>
      <ObjectLink
        instance={instance}
        object={{
          apiVersion: 'policy.karmada.io/v1alpha1',
          kind: POLICY_KINDS.find(({ value }) => value === policyKind)?.kind ?? '',
          namespace: policyNamespace,
          name: policyName,
        }}
      />
    </div>
  ));
}
