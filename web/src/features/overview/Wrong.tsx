import { useTranslation } from 'react-i18next';
import { Refresh } from '../../ui/page/Refresh';
import { Stale } from '../../ui/Stale';
import { ToneIcon } from '../../ui/tone';
import { CauseList } from './CauseList';
import { MOST_DIAGNOSED, mostUrgent } from './causes';
import type { OverviewView } from './useOverview';

interface WrongProps {
  view: OverviewView;
  /** The code of the cause of which everything is shown. */
  cause?: string;
}

/** What is wrong now; that nothing is, where that is known. */
export function Wrong({ view, cause }: WrongProps) {
  const { t } = useTranslation();
  const { causes, diagnoses, pending, unwatched, workloads, again } = view;
  const urgent = mostUrgent(workloads);
  return (
    <section className="wrong-now" aria-labelledby="wrong-title" aria-busy={pending.length > 0}>
      <div className="wrong-head">
        <h2 id="wrong-title">{t('overview.wrong')}</h2>
        <span className="page-gap" />
        {urgent.length > 0 && diagnoses.at !== undefined && (
          <Refresh asOf={{ at: diagnoses.at, outdated: false }} loading={diagnoses.busy} read={again} />
        )}
      </div>
      <Stale unwatched={unwatched} />
      {causes.length > 0 && <CauseList causes={causes} picked={cause} />}
      {urgent.length === MOST_DIAGNOSED && (
        <p className="muted">{t('overview.beyond', { most: MOST_DIAGNOSED })}</p>
      )}
      <Standing view={view} />
    </section>
  );
}

/** How much of it is known. */
function Standing({
  view: { causes, awaited, instances, pending, notKnown, unwatched },
}: {
  view: OverviewView;
}) {
  const { t } = useTranslation();
  const names = (list: readonly string[]) => ({ instances: list.join(', ') });
  if (pending.length > 0) return <p className="muted">{t('overview.looking', names(pending))}</p>;
  if (causes.length === 0 && awaited.size > 0) {
    return <p className="muted">{t('overview.lookingInto')}</p>;
  }
  const whole = notKnown.length === 0 && unwatched.length === 0;
  return (
    <>
      {notKnown.length > 0 && <p className="reason">{t('overview.notKnown', names(notKnown))}</p>}
      {causes.length === 0 && (
        <div className={`all-well tone-${whole ? 'ok' : 'unknown'}`} data-well={whole}>
          <ToneIcon tone={whole ? 'ok' : 'unknown'} />
          <strong>{t(whole ? 'overview.well' : 'overview.wellSoFar')}</strong>
          {whole && (
            <span className="muted">{t('overview.wellHint', { count: instances?.length ?? 0 })}</span>
          )}
        </div>
      )}
    </>
  );
}
