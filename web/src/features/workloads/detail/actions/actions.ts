// What can be done to a workload, by what it is and how it is. Who may do it is another question.

import type { WorkloadDetailFragment } from '../../../../graph/generated/graphql';

export type WorkloadAction =
  | 'restart'
  | 'setImage'
  | 'pause'
  | 'resume'
  | 'suspend'
  | 'unsuspend'
  | 'rerun'
  | 'reschedule'
  | 'protect'
  | 'unprotect'
  | 'delete';

type Subject = Pick<WorkloadDetailFragment, 'kind' | 'state' | 'labels' | 'propagation'> & {
  paused?: boolean;
  suspended?: boolean;
};

/** The label by which Karmada refuses to delete an object. */
const PROTECTED = 'resourcetemplate.karmada.io/deletion-protected';

export function isProtected({ labels }: Pick<Subject, 'labels'>): boolean {
  return labels.some(({ key, value }) => key === PROTECTED && value === 'Always');
}

/** In the order of the menu. Nothing is done to what is being deleted. */
export function actionsOf(workload: Subject): WorkloadAction[] {
  const { state, propagation } = workload;
  if (state === 'DELETING') return [];
  return [
    ...rolloutOf(workload),
    ...(propagation?.policy ? ['reschedule' as const] : []),
    isProtected(workload) ? 'unprotect' : 'protect',
    'delete',
  ];
}

function rolloutOf({ kind, state, paused, suspended }: Subject): WorkloadAction[] {
  switch (kind) {
    case 'Deployment':
      // A paused one would not be restarted until it is resumed.
      return paused ? ['setImage', 'resume'] : ['restart', 'setImage', 'pause'];
    case 'StatefulSet':
    case 'DaemonSet':
      return ['restart', 'setImage'];
    case 'CronJob':
      return ['setImage', suspended ? 'unsuspend' : 'suspend'];
    case 'Job': {
      const ended = state === 'COMPLETED' || state === 'FAILED';
      return ['rerun', ...(ended ? [] : [suspended ? ('unsuspend' as const) : ('suspend' as const)])];
    }
    default:
      return [];
  }
}

/** Which right an action takes: to change or to delete the workload, or to have it rescheduled. */
export function rightFor(action: WorkloadAction): 'change' | 'delete' | 'reschedule' {
  if (action === 'reschedule') return 'reschedule';
  return action === 'delete' || action === 'rerun' ? 'delete' : 'change';
}

/** A container of the template, and its image. */
export interface Container {
  name: string;
  image: string;
  init: boolean;
}

interface Form {
  containers: readonly { name: string; image: string | null }[] | null;
  initContainers: readonly { name: string; image: string | null }[] | null;
}

/** The containers first, then those that run before them: people mostly mean the first one. */
export function containersOf(form: Form): Container[] {
  const of = (list: Form['containers'], init: boolean) =>
    (list ?? []).map(({ name, image }) => ({ name, image: image ?? '', init }));
  return [...of(form.containers, false), ...of(form.initContainers, true)];
}

const LONGEST = 1024;

export function isImage(typed: string): boolean {
  return typed !== '' && typed.length <= LONGEST && !/\s/.test(typed);
}
