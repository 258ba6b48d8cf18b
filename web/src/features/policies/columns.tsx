import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ObjectLink } from '../../app/ObjectLink';
import { POLICY_KINDS } from '../../app/objects';
import { Age } from '../../ui/Age';
import type { DataColumn } from '../../ui/table/columns';
import { StateBadge } from '../../ui/tone';
import { rulesText } from './overrides';
import { placementText } from './placement';
import type { Row } from './search';
import { selectorText } from './selectors';
import type { Reach } from './usePolicies';

/** The columns of the list; the instance is one where there is a choice. */
export function usePolicyColumns(
  showInstance: boolean,
  reach: ReadonlyMap<string, Reach>,
): DataColumn<Row>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const instance: DataColumn<Row> = {
      id: 'instance',
      header: t('app.instance'),
      attributes: (row) => ({ title: row.instance?.name }),
      cell: (row) => row.instance?.name,
    };
    return [
      {
        id: 'kind',
        header: t('policies.kind'),
        attributes: (row) => ({ title: row.kind }),
        cell: (row) => <Kind kind={row.kind} />,
      },
      {
        id: 'name',
        header: t('policies.name'),
        namesRow: true,
        attributes: (row) => ({ title: row.name }),
        cell: (row) => <ObjectLink instance={row.instance?.name} object={row} />,
      },
      ...(showInstance ? [instance] : []),
      {
        id: 'namespace',
        header: t('policies.namespace'),
        attributes: (row) => ({ title: row.namespace ?? undefined }),
        cell: (row) => row.namespace ?? <span className="muted">{t('policies.clusterWide')}</span>,
      },
      {
        id: 'selects',
        header: t('policies.selects'),
        attributes: (row) => ({
          title: row.resourceSelectors?.map((selector) => selectorText(selector)).join('\n'),
        }),
        cell: (row) => <Selects row={row} />,
      },
      {
        id: 'says',
        header: t('policies.says'),
        attributes: (row) => ({ title: sayingOf(row, t) }),
        cell: (row) => <Says row={row} />,
      },
      {
        id: 'clusters',
        header: t('policies.reaches'),
        attributes: (row) => ({ title: reach.get(row.id)?.clusters?.join(', ') }),
        cell: (row) => <Clusters reach={reach.get(row.id)} />,
      },
      {
        id: 'claims',
        header: t('policies.workloads'),
        number: true,
        cell: (row) => reach.get(row.id)?.workloads ?? <span className="muted">–</span>,
      },
      {
        id: 'age',
        header: t('policies.age'),
        number: true,
        sortBy: ({ createdAt }) => createdAt,
        cell: (row) => <Age since={row.createdAt} />,
      },
    ];
  }, [t, showInstance, reach]);
}

export function Kind({ kind }: { kind: string }) {
  return (
    <>
      <span aria-hidden="true">{POLICY_KINDS.find((known) => known.kind === kind)?.short ?? kind}</span>
      <span className="sr-only">{kind}</span>
    </>
  );
}

function sayingOf(row: Row, t: ReturnType<typeof useTranslation>['t']): string {
  if ('overrideRules' in row) return rulesText(row.overrideRules, t);
  return 'placement' in row ? placementText(row.placement, t) : '';
}

function Says({ row }: { row: Row }) {
  const { t } = useTranslation();
  if (row.deletedAt)
    return (
      <StateBadge tone="idle" title={t('policies.deletingHint')}>
        {t('state.DELETING')}
      </StateBadge>
    );
  if ('overrideRules' in row && (row.overrideRules ?? []).length === 0)
    return <span className="muted">{t('policies.oldForm')}</span>;
  const held = 'suspension' in row && row.suspension;
  return (
    <>
      {held && (
        <>
          <StateBadge tone="idle">{t('policies.suspended')}</StateBadge>{' '}
        </>
      )}
      {sayingOf(row, t)}
    </>
  );
}

function Selects({ row }: { row: Row }) {
  const { t } = useTranslation();
  const [first, ...others] = row.resourceSelectors ?? [];
  if (!first) return <span className="muted">{t('policies.everything')}</span>;
  return (
    <>
      {selectorText(first, row.namespace)}
      {others.length > 0 && <span className="muted"> +{others.length}</span>}
    </>
  );
}

/** As many clusters as have room, and how many more. */
const SHOWN = 3;

function Clusters({ reach }: { reach: Reach | undefined }) {
  const { t } = useTranslation();
  if (!reach?.clusters) return <span className="muted">–</span>;
  if (reach.clusters.length === 0) return <span className="muted">{t('policies.nowhere')}</span>;
  const more = reach.clusters.length - SHOWN;
  return (
    <>
      {reach.clusters.slice(0, SHOWN).join(', ')}
      {more > 0 && <span className="muted"> +{more}</span>}
    </>
  );
}
