import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FindingFieldsFragment } from '../../graph/generated/graphql';
import { ToneIcon } from '../tone';
import type { Tone } from '../tones';
import type { FindingGroup } from './evidence';
import { EvidenceView } from './EvidenceView';
import './texts';

type Finding = FindingFieldsFragment;

const TONES: Record<Finding['severity'], Tone> = { ERROR: 'bad', WARNING: 'warn', INFO: 'busy' };
/** More clusters than these are a number. */
const NAMED = 3;

interface FindingCardProps {
  group: FindingGroup;
  /** Its evidence is unfolded. */
  open: boolean;
  /** Buttons that mend it, and links that lead on. */
  actions: (finding: Finding) => ReactNode;
}

/** One cause: what is wrong, where, what was seen, and what to do about it. */
export function FindingCard({ group, open, actions }: FindingCardProps) {
  const { t } = useTranslation();
  const { code, severity, clusters, findings } = group;
  const tone = TONES[severity];
  const [first, ...rest] = findings;
  if (!first) return null;
  return (
    <article className={`finding tone-${tone}`} data-finding={code} data-severity={severity}>
      <header className="finding-head">
        <ToneIcon tone={tone} />
        <h3>
          <span className="sr-only">{t(`finding.severity.${severity}`)}: </span>
          {t(`finding.title.${code}`)}
        </h3>
        {clusters.length > 0 && (
          <span className="finding-where" title={clusters.join(', ')}>
            {clusters.length <= NAMED
              ? t('finding.clusters_one', { clusters: clusters.join(', ') })
              : t('finding.clusters_other', { count: clusters.length })}
          </span>
        )}
      </header>
      <FindingBody finding={first} open={open} actions={actions} />
      {rest.length > 0 && (
        <details className="finding-more">
          <summary>{t('finding.more', { count: rest.length })}</summary>
          {rest.map((finding, index) => (
            <div key={index} className="finding-again">
              <FindingBody finding={finding} open={false} actions={actions} />
            </div>
          ))}
        </details>
      )}
    </article>
  );
}

interface FindingBodyProps {
  finding: Finding;
  open: boolean;
  actions: (finding: Finding) => ReactNode;
}

function FindingBody({ finding, open, actions }: FindingBodyProps) {
  const { t, i18n } = useTranslation();
  const { code, message, remedy, evidence, clusterName } = finding;
  const ours = i18n.language === 'en';
  return (
    <>
      <p className="finding-message" lang="en">
        {sentence(message, clusterName)}
      </p>
      {evidence.length > 0 && (
        <details className="finding-evidence" open={open}>
          <summary aria-label={t('finding.evidenceOf', { title: t(`finding.title.${code}`) })}>
            {t('finding.evidence')}
          </summary>
          <EvidenceView finding={finding} />
        </details>
      )}
      <div className="finding-foot">
        <p className="finding-remedy">
          <strong>{t('finding.remedyLabel')}:</strong>{' '}
          {/* The server's words say more than the code does; it speaks English. */}
          {ours ? sentence(remedy) : t(`finding.remedy.${code}`)}
        </p>
        <div className="finding-actions">{actions(finding)}</div>
      </div>
    </>
  );
}

/** The server's sentences begin small, to be put together; the name of a cluster stays as it is. */
function sentence(text: string, clusterName?: string | null): string {
  if (clusterName && text.startsWith(clusterName)) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
