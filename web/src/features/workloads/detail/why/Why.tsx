import { useTranslation } from 'react-i18next';
import type { WorkloadDiagnosisFragment } from '../../../../graph/generated/graphql';
import { groupsOf } from '../../../../ui/finding/evidence';
import { FindingCard } from '../../../../ui/finding/FindingCard';
import { ToneIcon } from '../../../../ui/tone';
import type { MendContext } from './context';
import { Mends } from './Mends';

interface WhyProps extends MendContext {
  diagnosis: NonNullable<WorkloadDiagnosisFragment['propagation']>['diagnosis'] | undefined;
}

/** Why is it not there? The causes, the one to remove first in front, above everything else that is known. */
export function Why({ diagnosis, ...context }: WhyProps) {
  const { t } = useTranslation();
  if (!diagnosis) return <p className="muted">{t('why.unknown')}</p>;
  const groups = groupsOf(diagnosis);
  const wrong = groups.some(({ severity }) => severity !== 'INFO');
  return (
    <section className="why" aria-label={t('why.title')} data-why={wrong ? 'wrong' : 'well'}>
      {wrong ? (
        <h2>{t('why.title')}</h2>
      ) : (
        <p className="why-well tone-ok">
          <ToneIcon tone="ok" /> {t('why.well')}
        </p>
      )}
      {groups.map((group, index) => (
        <FindingCard
          key={`${group.severity} ${group.code}`}
          group={group}
          open={index === 0 && wrong}
          actions={(finding) => <Mends finding={finding} {...context} />}
        />
      ))}
    </section>
  );
}
