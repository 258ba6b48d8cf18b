import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';
import { problemsOf } from '../../../../graph/problems';
import { Dialog } from '../../../../ui/Dialog';
import { Failed } from '../../../../ui/Notices';

interface LoadingProps {
  title: ReactNode;
  close: () => void;
  error?: CombinedError;
  /** What is wrong with what was read. */
  wrong?: string;
  retry: () => void;
}

/** In place of a dialog whose choices are being read, or could not be. */
export function Loading({ title, close, error, wrong, retry }: LoadingProps) {
  return (
    <Dialog open close={close} title={title}>
      {error ? (
        <Failed problems={problemsOf(error)} retry={retry} />
      ) : wrong ? (
        <p role="alert">{wrong}</p>
      ) : (
        <Skeleton active paragraph={{ rows: 4 }} />
      )}
    </Dialog>
  );
}
