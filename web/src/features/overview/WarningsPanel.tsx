import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { PlaceLink } from '../../app/PlaceLink';
import type { WarningRowFragment } from '../../graph/generated/graphql';
import { Age } from '../../ui/Age';
import { Stale } from '../../ui/Stale';
import type { WarningsView } from './useWarnings';
import { placeOfWarning } from './warnings';

/** What the control planes warned of lately. */
export function WarningsPanel({ rows, loading, unwatched }: WarningsView) {
  const { t } = useTranslation();
  return (
    <section className="panel" aria-labelledby="warnings-title" title={t('overview.warningsHint')}>
      <h2 id="warnings-title">{t('overview.warnings')}</h2>
      <Stale unwatched={unwatched} />
      {rows.length > 0 ? (
        <ul className="log-rows">
          {rows.map((row) => (
            <Warning key={row.id} row={row} />
          ))}
        </ul>
      ) : loading ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : (
        unwatched.length === 0 && <p className="muted">{t('overview.noWarnings')}</p>
      )}
    </section>
  );
}

function Warning({ row }: { row: WarningRowFragment }) {
  const { t } = useTranslation();
  const place = placeOfWarning(row);
  const { namespace, name, kind } = row.regarding;
  const subject = namespace ? `${namespace}/${name}` : name;
  return (
    <li data-warning={row.reason}>
      <span className="log-row-head">
        <span className="muted log-row-age">
          <Age since={row.lastSeen} />
        </span>
        <span className="reason">{row.reason}</span>
        {row.count > 1 && (
          <span className="muted number" title={t('overview.times', { count: row.count })}>
            ×{row.count}
          </span>
        )}
      </span>
      <span className="log-row-what">
        {place ? (
          <PlaceLink place={place} title={subject}>
            {subject}
          </PlaceLink>
        ) : (
          <span title={subject}>{subject}</span>
        )}
        <span className="kind">{kind}</span>
        <span className="muted">{row.instance?.name}</span>
      </span>
      <span className="log-row-said muted cut" title={row.message}>
        {row.message}
      </span>
    </li>
  );
}
