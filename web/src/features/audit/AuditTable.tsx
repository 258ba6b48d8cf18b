import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { shortName } from '../../app/viewer';
import { StateBadge } from '../../ui/tone';
import { moveFocus } from '../workloads/list/keys';
import type { AuditRow } from './object';
import { kindText, nameText, placeText, toneOfOutcome } from './object';

interface AuditTableProps {
  rows: readonly AuditRow[];
  picked?: string;
  busy: boolean;
}

export function AuditTable({ rows, picked, busy }: AuditTableProps) {
  const { t } = useTranslation();
  return (
    <div className="grid-scroll" role="group" tabIndex={0} aria-label={t('audit.table')}>
      <table className="grid audit" aria-label={t('audit.table')} aria-busy={busy}>
        <thead>
          <tr>
            <th scope="col" className="col-at">
              {t('audit.at')}
            </th>
            <th scope="col" className="col-principal">
              {t('audit.principal')}
            </th>
            <th scope="col" className="col-action">
              {t('audit.action')}
            </th>
            <th scope="col" className="col-object">
              {t('audit.object')}
            </th>
            <th scope="col" className="col-outcome">
              {t('audit.outcome')}
            </th>
            <th scope="col" className="col-message">
              {t('audit.message')}
            </th>
            <th scope="col" className="col-via">
              {t('audit.via')}
            </th>
          </tr>
        </thead>
        <tbody onKeyDown={moveFocus}>
          {rows.map((row) => (
            <AuditLine key={row.id} row={row} picked={row.id === picked} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AuditLine({ row, picked }: { row: AuditRow; picked: boolean }) {
  const { t } = useTranslation();
  const kind = kindText(row);
  const place = placeText(row);
  return (
    <tr className={picked ? 'is-picked' : undefined} data-event={row.id} data-action={row.action}>
      <th scope="row" className="col-at">
        <Link from="/audit" to="." search={(before) => ({ ...before, event: row.id })}>
          <time dateTime={row.at}>{new Date(row.at).toLocaleString()}</time>
        </Link>
      </th>
      <td className="col-principal" title={row.principal}>
        {shortName(row.principal)}
      </td>
      <td className="col-action">
        {row.action}
        {row.dryRun && (
          <div className="muted small" title={t('audit.dryRunHint')}>
            {t('audit.dryRun')}
          </div>
        )}
      </td>
      <td className="col-object">
        {kind && <span className="kind">{kind} </span>}
        <span className="name">{nameText(row)}</span>
        {place && <div className="muted small">{place}</div>}
      </td>
      <td className="col-outcome" data-outcome={row.outcome}>
        <StateBadge tone={toneOfOutcome(row.outcome)} title={row.code ?? undefined}>
          {t(`outcome.${row.outcome}`)}
        </StateBadge>
      </td>
      <td className="col-message" title={row.message}>
        {row.message || row.code}
      </td>
      <td className="col-via">{t(`via.${row.via}`)}</td>
    </tr>
  );
}
