import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog';
import { StateBadge } from '../../ui/tone';
import { kindOfPath, pathOfKind } from '../../app/kinds';
import type { AuditRow } from './object';
import { durationText, kindText, nameText, toneOfOutcome } from './object';

interface AuditDrawerProps {
  event: AuditRow | undefined;
  close: () => void;
}

/** All that the log holds of one event. */
export function AuditDrawer({ event, close }: AuditDrawerProps) {
  return (
    <Dialog open={event !== undefined} close={close} title={event?.action} side>
      {event && <Event event={event} />}
    </Dialog>
  );
}

function Event({ event }: { event: AuditRow }) {
  const { t } = useTranslation();
  return (
    <div className="audit-event" data-event-detail={event.id}>
      <p>
        <StateBadge tone={toneOfOutcome(event.outcome)}>{t(`outcome.${event.outcome}`)}</StateBadge>{' '}
        {event.dryRun && <span className="muted">{t('audit.dryRunHint')}</span>}
      </p>
      {event.message && <p className="reason wrap">{event.message}</p>}
      <dl className="pairs">
        <Pair name={t('audit.at')}>
          <time dateTime={event.at}>{new Date(event.at).toLocaleString()}</time>{' '}
          <span className="muted mono">{event.at}</span>
        </Pair>
        <Pair name={t('audit.duration')}>{durationText(event.durationSeconds)}</Pair>
        <Pair name={t('audit.code')}>{event.code}</Pair>
        <Pair name={t('audit.object')}>
          <Subject event={event} />
        </Pair>
        <Pair name={t('audit.instance')}>{event.instanceName}</Pair>
        <Pair name={t('audit.cluster')}>{event.clusterName}</Pair>
        <Pair name={t('audit.principal')}>
          <span className="mono">{event.principal}</span>
        </Pair>
        <Pair name={t('audit.groups')}>
          {event.groups.length > 0 &&
            event.groups.map((group) => (
              <div key={group} className="mono">
                {group}
              </div>
            ))}
        </Pair>
        <Pair name={t('audit.remoteAddress')}>{event.remoteAddress}</Pair>
        <Pair name={t('audit.userAgent')}>{event.userAgent}</Pair>
        <Pair name={t('audit.via')}>{t(`via.${event.via}`)}</Pair>
        <Pair name={t('audit.requestId')}>
          <span className="mono">{event.requestId}</span>
          <div className="muted small">{t('audit.sameRequest')}</div>
        </Pair>
      </dl>
      {event.name && (
        <p>
          <Link
            to="/audit"
            search={{
              instance: event.instanceName ?? undefined,
              namespace: event.namespace ? [event.namespace] : undefined,
              name: event.name,
            }}
          >
            {t('audit.sameObject')}
          </Link>
        </p>
      )}
    </div>
  );
}

/** The object, with the way to its page where it has one. */
function Subject({ event }: { event: AuditRow }) {
  const { t } = useTranslation();
  const { instanceName, clusterName, namespace, kind, name } = event;
  const said = [event.apiVersion, kindText(event), nameText(event)].filter(Boolean).join(' ');
  const isTemplate = instanceName && !clusterName && namespace && name && kind && kindOfPath(kind);
  return (
    <>
      <div className="wrap">{said}</div>
      {isTemplate && (
        <Link
          to="/workloads/$instance/$namespace/$kind/$name"
          params={{ instance: instanceName, namespace, kind: pathOfKind(kind), name }}
        >
          {t('audit.open')}
        </Link>
      )}
    </>
  );
}

/** What is not known is left out. */
function Pair({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === '' || children === false) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className="wrap">{children}</dd>
    </>
  );
}
