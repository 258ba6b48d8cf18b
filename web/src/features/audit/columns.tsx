import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { shortName } from '../../app/viewer';
import type { DataColumn } from '../../ui/table/columns';
import { StateBadge } from '../../ui/tone';
import type { AuditRow } from './object';
import { kindText, nameText, placeText, toneOfOutcome } from './object';

export function useAuditColumns(): DataColumn<AuditRow>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'at',
        header: t('audit.at'),
        namesRow: true,
        cell: (row) => (
          <Link from="/audit" to="." search={(before) => ({ ...before, event: row.id })}>
            <time dateTime={row.at}>{new Date(row.at).toLocaleString()}</time>
          </Link>
        ),
      },
      {
        id: 'principal',
        header: t('audit.principal'),
        attributes: (row) => ({ title: row.principal }),
        cell: (row) => shortName(row.principal),
      },
      { id: 'action', header: t('audit.action'), cell: (row) => <Action row={row} /> },
      { id: 'object', header: t('audit.object'), cell: (row) => <Subject row={row} /> },
      {
        id: 'outcome',
        header: t('audit.outcome'),
        attributes: (row) => ({ 'data-outcome': row.outcome }),
        cell: (row) => (
          <StateBadge tone={toneOfOutcome(row.outcome)} title={row.code ?? undefined}>
            {t(`outcome.${row.outcome}`)}
          </StateBadge>
        ),
      },
      {
        id: 'message',
        header: t('audit.message'),
        attributes: (row) => ({ title: row.message }),
        cell: (row) => row.message || row.code,
      },
      { id: 'via', header: t('audit.via'), cell: (row) => t(`via.${row.via}`) },
    ],
    [t],
  );
}

function Action({ row }: { row: AuditRow }) {
  const { t } = useTranslation();
  return (
    <>
      {row.action}
      {row.dryRun && (
        <div className="muted small" title={t('audit.dryRunHint')}>
          {t('audit.dryRun')}
        </div>
      )}
    </>
  );
}

function Subject({ row }: { row: AuditRow }) {
  const kind = kindText(row);
  const place = placeText(row);
  return (
    <>
      {kind && <span className="kind">{kind} </span>}
      <span className="name">{nameText(row)}</span>
      {place && <div className="muted small">{place}</div>}
    </>
  );
}
