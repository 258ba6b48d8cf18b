import { Alert, Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Problem } from '../graph/problems';
import { SignOut } from '../features/session/SignOut';

interface ProblemsProps {
  problems: readonly Problem[];
  retry?: () => void;
}

/** What is missing from a page that is otherwise there. */
export function Problems({ problems, retry }: ProblemsProps) {
  const { t } = useTranslation();
  if (problems.length === 0) return null;
  return (
    <div className="problems" role="status">
      {problems.map((problem, index) => (
        <Alert
          key={`${problem.code}-${problem.instance ?? ''}-${problem.cluster ?? ''}-${index}`}
          type={problem.retryable ? 'warning' : 'error'}
          showIcon
          title={<ProblemTitle problem={problem} />}
          description={problem.message || undefined}
          action={
            retry && problem.retryable ? (
              <Button size="small" onClick={retry}>
                {t('problem.retry')}
              </Button>
            ) : undefined
          }
        />
      ))}
    </div>
  );
}

function ProblemTitle({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  // An outage is somebody's: where no instance is to blame, say so and not nothing.
  const upstream = problem.code === 'UNAVAILABLE' || problem.code === 'TIMEOUT' ? t('problem.upstream') : '';
  const subject = [problem.instance, problem.cluster].filter(Boolean).join(' / ') || upstream;
  return (
    <>
      {subject && <strong>{subject} </strong>}
      {t(`problem.${problem.code}`)}
    </>
  );
}

interface BlankProps {
  title: ReactNode;
  hint?: ReactNode;
  children?: ReactNode;
}

/** A page or part that has nothing to show: what that means, and what to do. */
export function Blank({ title, hint, children }: BlankProps) {
  return (
    <div className="blank">
      <h2>{title}</h2>
      {hint && <p>{hint}</p>}
      {children && <div className="blank-actions">{children}</div>}
    </div>
  );
}

/** In place of a page that could not be loaded at all. */
export function Failed({ problems, retry }: ProblemsProps) {
  const { t } = useTranslation();
  if (problems.some((problem) => problem.code === 'FORBIDDEN')) return <Forbidden />;
  return (
    <Blank title={t('problem.failedTitle')}>
      <Problems problems={problems} />
      {retry && (
        <Button type="primary" onClick={retry}>
          {t('problem.retry')}
        </Button>
      )}
    </Blank>
  );
}

export function Forbidden() {
  const { t } = useTranslation();
  return (
    <Blank title={t('problem.forbiddenTitle')} hint={t('problem.forbiddenHint')}>
      <SignOut primary>{t('problem.otherAccount')}</SignOut>
    </Blank>
  );
}

/** An instance that an address names and that there is not. */
export function NoInstance({ instance, children }: { instance: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Blank title={t('problem.noInstance', { instance })} hint={t('problem.noInstanceHint')}>
      {children}
    </Blank>
  );
}

/** In place of a table that is on its way. */
export function LoadingRows() {
  return (
    <div className="loading-rows" aria-busy="true">
      {Array.from({ length: 12 }, (_, index) => (
        <Skeleton.Input key={index} block size="small" active />
      ))}
    </div>
  );
}
