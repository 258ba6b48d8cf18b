// What is sent for what was filled in to create or attach an instance.

import type { AttachInstanceInput, CreateInstanceInput } from '../../../graph/generated/graphql';
import { isDNSLabel } from '../../../ui/typed';
import type { SettingsValues } from '../control/values';
import { settingsOf, valuesOf } from '../control/values';
import type { LabelRow } from '../member/changes';

export const LONGEST_INSTANCE = 48;

export function isInstanceName(typed: string): boolean {
  return isDNSLabel(typed, LONGEST_INSTANCE);
}

interface CommonValues extends Partial<SettingsValues> {
  name: string;
  displayName?: string;
  description?: string;
  labels?: LabelRow[];
}

export interface CreateValues extends CommonValues {
  version?: string;
  namespace?: string;
  highAvailability?: boolean;
  etcdReplicas?: '' | '1' | '3' | '5' | '7';
  storageSize?: string;
  storageClassName?: string;
  serviceType?: '' | 'ClusterIP' | 'NodePort' | 'LoadBalancer';
  certSANs?: string[];
  imageRegistry?: string;
}

export interface AttachValues extends CommonValues {
  kubeconfig: string;
}

export const NOTHING_SET = valuesOf({
  failover: null,
  descheduler: null,
  metricsAdapter: null,
  revisionHistoryLimit: null,
});

/** Null when it cannot be sent. */
export function createInput(values: CreateValues): CreateInstanceInput | null {
  const common = commonOf(values);
  if (!common) return null;
  const { etcdReplicas, storageSize, storageClassName, serviceType, certSANs } = values;
  const local = said({
    replicas: etcdReplicas ? Number(etcdReplicas) : undefined,
    storageSize: storageSize || undefined,
    storageClassName: storageClassName || undefined,
  });
  const apiServer = said({
    serviceType: serviceType || undefined,
    certSANs: certSANs && certSANs.length > 0 ? certSANs : undefined,
  });
  return {
    ...common,
    version: values.version || undefined,
    namespace: values.namespace || undefined,
    // Not to ask for it leaves it to the operators.
    highAvailability: values.highAvailability || undefined,
    etcd: local && { local },
    apiServer,
    imageRegistry: values.imageRegistry || undefined,
  };
}

export function attachInput(values: AttachValues): AttachInstanceInput | null {
  const common = commonOf(values);
  return common && { ...common, kubeconfig: values.kubeconfig };
}

function commonOf(values: CommonValues) {
  const { name, displayName, description, labels } = values;
  const settings = settingsOf({ ...NOTHING_SET, ...values });
  if (!settings) return null;
  return {
    name,
    displayName: displayName || undefined,
    description: description || undefined,
    labels: labels && labels.length > 0 ? labels.map(({ key, value }) => ({ key, value })) : undefined,
    settings: Object.keys(settings).length > 0 ? settings : undefined,
  };
}

/** The values when any of them is said. */
function said<Values extends object>(values: Values): Values | undefined {
  return Object.values(values).some((value) => value !== undefined) ? values : undefined;
}
