import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../../app/fleet';
import type { TargetFieldsFragment } from '../../../graph/generated/graphql';
import { ClockIcon, isOld } from '../../../ui/Freshness';
import { ToneIcon } from '../../../ui/tone';
import { pathOfKind } from '../../../app/kinds';
import type { Row } from './page';
import { countOf, countText, verdictOf } from '../verdict';

/** One chip for each cluster a workload should be in, or is still in. */
export function Chips({ row }: { row: Row }) {
  const { t } = useTranslation();
  if (!row.propagation) return <span className="muted">{t('workloads.noPropagation')}</span>;
  if (row.propagation.targets.length === 0) {
    return (
      <span className="muted" title={row.stateReason}>
        {t('workloads.noTargets')} · {row.stateReason}
      </span>
    );
  }
  return (
    <ul className="chips">
      {row.propagation.targets.map((target) => (
        <li key={target.clusterName}>
          <Chip row={row} target={target} />
        </li>
      ))}
    </ul>
  );
}

function Chip({ row, target }: { row: Row; target: TargetFieldsFragment }) {
  const { t } = useTranslation();
  const fleet = useFleet();
  const instance = row.instance?.name ?? '';
  const { tone, stage, fact } = verdictOf(target, row.state);
  const count = countText(countOf(row.kind, target, 'completions' in row ? row.completions : null));
  const old = isOld(fleet.freshness(instance, target.clusterName) ?? target.freshness);
  const words = {
    stage: t(`fact.${stage}`),
    value: t(`fact.${fact.value}`),
    reason: fact.reason,
  };
  return (
    <Link
      to="/workloads/$instance/$namespace/$kind/$name"
      params={{ instance, namespace: row.namespace, kind: pathOfKind(row.kind), name: row.name }}
      search={{ cluster: target.clusterName }}
      preload={false}
      className={`chip tone-${tone}${old ? ' is-old' : ''}`}
      tabIndex={-1}
      data-chip={target.clusterName}
      data-row={row.id}
      data-tone={tone}
      data-count={count}
    >
      <ToneIcon tone={tone} />
      <span>{target.clusterName}</span> {count && <span className="chip-count">{count}</span>}{' '}
      <span className="sr-only">{t('workloads.chip', words)}</span>
      {old && <ClockIcon />}
    </Link>
  );
}
