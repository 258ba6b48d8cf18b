import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PlaceLink } from '../../app/PlaceLink';
import type { Place } from '../../app/places';
import { ToneIcon } from '../../ui/tone';
import type { Affected, Cause, Subject } from './causes';
import { en } from './texts/en';

/** So many of a cause are named before somebody asks for all of them. */
const FEW = 4;

interface CauseListProps {
  causes: readonly Cause[];
  /** The code of the cause of which everything is shown. */
  picked?: string;
}

/** What is wrong, cause by cause; every name leads to where it can be seen. */
export function CauseList({ causes, picked }: CauseListProps) {
  const { t } = useTranslation();
  return (
    <ul className="causes" aria-label={t('overview.causes')}>
      {causes.map((cause) => (
        <CauseItem key={cause.code} cause={cause} whole={cause.code === picked} />
      ))}
    </ul>
  );
}

function CauseItem({ cause, whole }: { cause: Cause; whole: boolean }) {
  const { t } = useTranslation();
  const { code, severity, affected } = cause;
  const tone = severity === 'ERROR' ? 'bad' : 'warn';
  const shown = whole ? affected : affected.slice(0, FEW);
  return (
    <li className={`cause tone-${tone}`} data-cause={code} data-severity={severity}>
      <div className="cause-head">
        <ToneIcon tone={tone} />
        <h3>{useCauseText(code)}</h3>
        <span className="cause-count">{useCountText(affected)}</span>
      </div>
      <ul className="affected">
        {shown.map((one) => (
          <AffectedItem key={one.key} one={one} whole={whole} />
        ))}
      </ul>
      {affected.length > FEW && (
        <Link
          from="/"
          to="."
          className="cause-more"
          resetScroll={false}
          search={(before) => ({ ...before, cause: whole ? undefined : code })}
        >
          {whole ? t('overview.fewer') : t('overview.everything', { count: affected.length })}
        </Link>
      )}
    </li>
  );
}

function AffectedItem({ one, whole }: { one: Affected; whole: boolean }) {
  const { t } = useTranslation();
  const { subject, clusters, message, remedy } = one;
  return (
    <li data-affected={one.key}>
      <span className="affected-name">
        <PlaceLink place={placeOf(subject, clusters)}>{nameOf(subject)}</PlaceLink>
        <span className="kind">{subject.type === 'workload' && subject.kind}</span>
      </span>
      <span className="affected-where muted">{whereText(subject, clusters)}</span>
      <span
        className={whole ? 'affected-said wrap' : 'affected-said cut'}
        title={whole ? undefined : message}
      >
        {message}
        {whole && remedy && (
          <span className="affected-remedy muted">
            {t('overview.toDo')}: {remedy}
          </span>
        )}
      </span>
    </li>
  );
}

/** Where it can be seen: in the only cluster in which it is so. */
function placeOf(subject: Subject, clusters: readonly string[]): Place {
  return subject.type === 'workload' && clusters.length === 1
    ? { ...subject, cluster: clusters[0] }
    : subject;
}

function nameOf(subject: Subject): string {
  switch (subject.type) {
    case 'instance':
      return subject.instance;
    case 'cluster':
      return subject.cluster;
    case 'workload':
      return `${subject.namespace}/${subject.name}`;
  }
}

function whereText(subject: Subject, clusters: readonly string[]): string {
  if (subject.type === 'instance') return '';
  return clusters.length > 0 ? `${subject.instance} / ${clusters.join(', ')}` : subject.instance;
}

/** A newer server may name a cause that has no name here yet: then its code is its name. */
function useCauseText(code: Cause['code']): string {
  const { t } = useTranslation();
  const known = code.replace(/^condition\./, '');
  return isKnown(known) ? t(`cause.${known}`) : known;
}

function isKnown(code: string): code is keyof typeof en.cause {
  return Object.hasOwn(en.cause, code);
}

/** `1 cluster, 6 workloads` */
function useCountText(affected: readonly Affected[]): string {
  const { t } = useTranslation();
  return (['instance', 'cluster', 'workload'] as const)
    .map((type) => ({ type, count: affected.filter(({ subject }) => subject.type === type).length }))
    .filter(({ count }) => count > 0)
    .map(({ type, count }) => t(`overview.count.${type}`, { count }))
    .join(', ');
}
