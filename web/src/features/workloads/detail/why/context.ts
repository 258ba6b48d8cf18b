import type { WorkloadDetailFragment, WorkloadKind } from '../../../../graph/generated/graphql';

/** The workload that is mended. */
export interface MendContext {
  workload: WorkloadDetailFragment;
  kind: WorkloadKind;
  instance: string;
}

export interface MendDialogProps extends MendContext {
  close: () => void;
}
