// What is sent for what was changed of an instance.

import type { InstanceDetailFragment, UpdateInstanceInput } from '../../../graph/generated/graphql';
import type { LabelRow } from '../member/changes';
import { labelChanges } from '../member/changes';

export interface EditValues {
  displayName: string;
  description: string;
  labels: LabelRow[];
  deletionPolicy?: InstanceDetailFragment['deletionPolicy'];
  kubeconfig?: string;
}

type Before = Pick<
  InstanceDetailFragment,
  'id' | 'uid' | 'resourceVersion' | 'displayName' | 'description' | 'labels' | 'deletionPolicy'
>;

/** What differs, and nothing else; null when nothing does. */
export function editInput(before: Before, values: EditValues): UpdateInstanceInput | null {
  const { id, uid, resourceVersion } = before;
  const { displayName, description, labels, deletionPolicy, kubeconfig } = values;
  const changes: Omit<UpdateInstanceInput, 'id'> = {
    ...(displayName === (before.displayName ?? '') ? {} : { displayName }),
    ...(description === (before.description ?? '') ? {} : { description }),
    ...labelChanges({ labels: before.labels, taints: [] }, labels),
    ...(deletionPolicy === undefined || deletionPolicy === before.deletionPolicy ? {} : { deletionPolicy }),
    ...(kubeconfig ? { kubeconfig } : {}),
  };
  return Object.keys(changes).length === 0 ? null : { id, uid, resourceVersion, ...changes };
}

/** Whether a control plane goes with its instance. */
export function removesControlPlane({
  source,
  deletionPolicy,
}: Pick<InstanceDetailFragment, 'source' | 'deletionPolicy'>): boolean {
  return source === 'MANAGED' && deletionPolicy === 'CASCADE';
}
