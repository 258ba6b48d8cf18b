import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FindingFieldsFragment, WorkloadDiagnosisFragment } from '../../../../graph/generated/graphql';
import { groupsOf } from '../../../../ui/finding/evidence';
import { FindingCard } from '../../../../ui/finding/FindingCard';
import { ToneIcon } from '../../../../ui/tone';
import type { MendContext } from './context';
import type { ButtonMend } from './Mends';
import { MendDialog, Mends } from './Mends';

interface WhyProps extends MendContext {
  diagnosis: NonNullable<WorkloadDiagnosisFragment['propagation']>['diagnosis'] | undefined;
}

/** Why is it not there? The causes, the one to remove first in front, above everything else that is known. */
export function Why({ diagnosis, ...context }: WhyProps) {
  const { t } = useTranslation();
  const [begun, setBegun] = useState<ButtonMend | null>(null);
  return (
    <>
      {diagnosis ? (
        <Findings diagnosis={diagnosis} begin={setBegun} {...context} />
      ) : (
        <p className="muted">{t('why.unknown')}</p>
      )}
      {begun && <MendDialog mend={begun} {...context} close={() => setBegun(null)} />}
    </>
  );
}

interface FindingsProps extends MendContext {
  diagnosis: readonly FindingFieldsFragment[];
  begin: (mend: ButtonMend) => void;
}

function Findings({ diagnosis, begin, ...context }: FindingsProps) {
  const { t } = useTranslation();
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
          actions={(finding) => <Mends finding={finding} begin={begin} {...context} />}
        />
      ))}
    </section>
  );
}
