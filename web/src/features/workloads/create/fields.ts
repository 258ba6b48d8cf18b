// The fields of a workload's form: what `WorkloadFormInput` has, and where each stands in a manifest.

import type { WorkloadKind } from '../../../graph/generated/graphql';
import type { Codec, Field } from './codec';

const text: Codec = { is: 'text' };
const whole: Codec = { is: 'whole' };
const flag: Codec = { is: 'flag' };
const texts: Codec = { is: 'texts' };
const pairs: Codec = { is: 'pairs' };
const numberOrText: Codec = { is: 'numberOrText' };
const word = (...words: string[]): Codec => ({ is: 'word', words });
const object = (fields: readonly Field[], bare = false): Codec => ({ is: 'object', fields, bare });
const list = (fields: readonly Field[], ...by: string[]): Codec => ({ is: 'list', fields, by });
const field = (name: string, is: Codec, at: string = name): Field => ({ name, at: at.split('.'), is });
const all = (is: Codec, ...names: string[]): Field[] => names.map((name) => field(name, is));

const ofKarmada = (key: string) => {
  const [domain = '', name] = key.split('/');
  return name !== undefined && (domain === 'karmada.io' || domain.endsWith('.karmada.io'));
};
const ofServers = (key: string) =>
  ofKarmada(key) || key === 'kubectl.kubernetes.io/last-applied-configuration';

const labelRequirement = [
  field('key', text),
  field('operator', word('In', 'NotIn', 'Exists', 'DoesNotExist')),
  field('values', texts),
];
const selector = [field('matchLabels', pairs), field('matchExpressions', list(labelRequirement))];

const keyRef = [...all(text, 'name', 'key'), field('optional', flag)];
const fieldRef = all(text, 'fieldPath', 'apiVersion');
const resourceFieldRef = all(text, 'containerName', 'resource', 'divisor');
const envSource = [
  field('configMapKeyRef', object(keyRef)),
  field('secretKeyRef', object(keyRef)),
  field('fieldRef', object(fieldRef)),
  field('resourceFieldRef', object(resourceFieldRef)),
];
export const ENV_VAR: readonly Field[] = [
  ...all(text, 'name', 'value'),
  field('valueFrom', object(envSource)),
];
const optionalRef = [field('name', text), field('optional', flag)];
const envFrom = [
  field('prefix', text),
  field('configMapRef', object(optionalRef)),
  field('secretRef', object(optionalRef)),
];
export const RESOURCES: readonly Field[] = all(pairs, 'requests', 'limits');

const httpGet = [
  field('path', text),
  field('port', numberOrText),
  field('host', text),
  field('scheme', word('HTTP', 'HTTPS')),
  field('httpHeaders', list(all(text, 'name', 'value'))),
];
const tcpSocket = [field('port', numberOrText), field('host', text)];
const exec = [field('command', texts)];
const probe = [
  field('httpGet', object(httpGet)),
  field('tcpSocket', object(tcpSocket)),
  field('exec', object(exec)),
  field('grpc', object([field('port', whole), field('service', text)])),
  ...all(
    whole,
    'initialDelaySeconds',
    'periodSeconds',
    'timeoutSeconds',
    'successThreshold',
    'failureThreshold',
    'terminationGracePeriodSeconds',
  ),
];
const handler = [
  field('exec', object(exec)),
  field('httpGet', object(httpGet)),
  field('tcpSocket', object(tcpSocket)),
  field('sleep', object([field('seconds', whole)])),
];
const seccomp = [
  field('type', word('RuntimeDefault', 'Localhost', 'Unconfined')),
  field('localhostProfile', text),
];
const containerSecurity = [
  ...all(flag, 'privileged', 'allowPrivilegeEscalation', 'readOnlyRootFilesystem', 'runAsNonRoot'),
  ...all(whole, 'runAsUser', 'runAsGroup'),
  field('capabilities', object(all(texts, 'add', 'drop'))),
  field('seccompProfile', object(seccomp)),
];
const containerPort = [
  field('containerPort', whole),
  field('name', text),
  field('protocol', word('TCP', 'UDP', 'SCTP')),
  field('hostPort', whole),
  field('hostIP', text),
];
const volumeMount = [
  ...all(text, 'mountPath', 'name', 'subPath', 'subPathExpr'),
  field('readOnly', flag),
  field('mountPropagation', word('None', 'HostToContainer', 'Bidirectional')),
];
const restartPolicy = word('Always', 'OnFailure', 'Never');
export const CONTAINER: readonly Field[] = [
  ...all(text, 'name', 'image'),
  field('imagePullPolicy', word('Always', 'Never', 'IfNotPresent')),
  ...all(texts, 'command', 'args'),
  field('workingDir', text),
  field('ports', list(containerPort, 'containerPort', 'protocol')),
  field('env', list(ENV_VAR, 'name')),
  field('envFrom', list(envFrom)),
  field('resources', object(RESOURCES)),
  ...all(object(probe), 'livenessProbe', 'readinessProbe', 'startupProbe'),
  field('lifecycle', object([field('postStart', object(handler)), field('preStop', object(handler))])),
  field('volumeMounts', list(volumeMount, 'mountPath')),
  field('volumeDevices', list(all(text, 'devicePath', 'name'), 'devicePath')),
  field('securityContext', object(containerSecurity)),
  field('restartPolicy', restartPolicy),
  field('terminationMessagePath', text),
  field('terminationMessagePolicy', word('File', 'FallbackToLogsOnError')),
  ...all(flag, 'stdin', 'tty'),
];

const keyPath = [...all(text, 'key', 'path'), field('mode', whole)];
const downwardFile = [
  field('path', text),
  field('fieldRef', object(fieldRef)),
  field('resourceFieldRef', object(resourceFieldRef)),
  field('mode', whole),
];
const configVolume = (name: string) => [
  field(name, text),
  field('optional', flag),
  field('defaultMode', whole),
  field('items', list(keyPath)),
];
const projectedKeys = [field('name', text), field('optional', flag), field('items', list(keyPath))];
const projectedSource = [
  field('configMap', object(projectedKeys)),
  field('secret', object(projectedKeys)),
  field('downwardAPI', object([field('items', list(downwardFile))])),
  field(
    'serviceAccountToken',
    object([field('audience', text), field('expirationSeconds', whole), field('path', text)]),
  ),
];
const volume = [
  field('name', text),
  field('configMap', object(configVolume('name'))),
  field('secret', object(configVolume('secretName'))),
  field('emptyDir', object(all(text, 'medium', 'sizeLimit'), true)),
  field('persistentVolumeClaim', object([field('claimName', text), field('readOnly', flag)])),
  field('hostPath', object(all(text, 'path', 'type'))),
  field('downwardAPI', object([field('defaultMode', whole), field('items', list(downwardFile))])),
  field('projected', object([field('defaultMode', whole), field('sources', list(projectedSource))])),
  field('nfs', object([...all(text, 'server', 'path'), field('readOnly', flag)])),
  field(
    'csi',
    object([
      field('driver', text),
      field('readOnly', flag),
      field('fsType', text),
      field('volumeAttributes', pairs),
      field('nodePublishSecret', text, 'nodePublishSecretRef.name'),
    ]),
  ),
];

const toleration = [
  field('key', text),
  field('operator', word('Exists', 'Equal')),
  field('value', text),
  field('effect', word('NoSchedule', 'PreferNoSchedule', 'NoExecute')),
  field('tolerationSeconds', whole),
];
const nodeRequirement = [
  field('key', text),
  field('operator', word('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt')),
  field('values', texts),
];
const nodeTerm = all(list(nodeRequirement), 'matchExpressions', 'matchFields');
const podTerm = [
  field('labelSelector', object(selector)),
  field('topologyKey', text),
  field('namespaces', texts),
  field('namespaceSelector', object(selector)),
  ...all(texts, 'matchLabelKeys', 'mismatchLabelKeys'),
];
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const nodeAffinity = [
  field('required', list(nodeTerm), `${REQUIRED}.nodeSelectorTerms`),
  field('preferred', list([field('weight', whole), field('preference', object(nodeTerm))]), PREFERRED),
];
const podAffinity = [
  field('required', list(podTerm), REQUIRED),
  field('preferred', list([field('weight', whole), field('podAffinityTerm', object(podTerm))]), PREFERRED),
];
const affinity = [
  field('nodeAffinity', object(nodeAffinity)),
  field('podAffinity', object(podAffinity)),
  field('podAntiAffinity', object(podAffinity)),
];
const topologySpread = [
  field('maxSkew', whole),
  field('topologyKey', text),
  field('whenUnsatisfiable', word('DoNotSchedule', 'ScheduleAnyway')),
  field('labelSelector', object(selector)),
  field('minDomains', whole),
  ...all(word('Honor', 'Ignore'), 'nodeAffinityPolicy', 'nodeTaintsPolicy'),
  field('matchLabelKeys', texts),
];
const podSecurity = [
  ...all(whole, 'runAsUser', 'runAsGroup', 'fsGroup'),
  field('runAsNonRoot', flag),
  field('fsGroupChangePolicy', word('OnRootMismatch', 'Always')),
  field('supplementalGroups', { is: 'wholes' }),
  field('seccompProfile', object(seccomp)),
  field('sysctls', list(all(text, 'name', 'value'), 'name')),
];
const volumeClaim = [
  field('name', text, 'metadata.name'),
  field('labels', pairs, 'metadata.labels'),
  field('annotations', pairs, 'metadata.annotations'),
  field('accessModes', texts, 'spec.accessModes'),
  field('storageClassName', text, 'spec.storageClassName'),
  field('volumeMode', word('Filesystem', 'Block'), 'spec.volumeMode'),
  field('volumeName', text, 'spec.volumeName'),
  field('storage', text, 'spec.resources.requests.storage'),
];
const rollingUpdate = [...all(numberOrText, 'maxSurge', 'maxUnavailable'), field('partition', whole)];
const strategy = [
  field('type', word('RollingUpdate', 'Recreate', 'OnDelete')),
  field('rollingUpdate', object(rollingUpdate)),
];
const claimRetention = all(word('Retain', 'Delete'), 'whenDeleted', 'whenScaled');

const DEPLOYMENT: WorkloadKind = 'DEPLOYMENT';
const APPS: readonly WorkloadKind[] = ['DEPLOYMENT', 'STATEFUL_SET', 'DAEMON_SET'];
const BATCH: readonly WorkloadKind[] = ['JOB', 'CRON_JOB'];

const ownFields = (at: string, kinds: readonly WorkloadKind[], ...fields: Field[]) =>
  fields.map((own) => ({ kinds, own: { ...own, at: [...at.split('.'), ...own.at] } }));

/** Fields of some kinds, where a path begins with `@pod` or `@job` as it depends on the kind. */
const FIELDS: readonly { kinds?: readonly WorkloadKind[]; own: Field }[] = [
  { own: field('labels', { is: 'pairs', unseen: ofServers }, 'metadata.labels') },
  { own: field('annotations', { is: 'pairs', unseen: ofServers }, 'metadata.annotations') },
  ...ownFields('spec', ['CRON_JOB'], ...all(text, 'schedule', 'timeZone')),
  ...ownFields('spec', [DEPLOYMENT, 'STATEFUL_SET'], field('replicas', whole)),
  ...ownFields('spec', APPS, field('selector', object(selector))),
  ...ownFields('spec', ['STATEFUL_SET'], field('serviceName', text)),
  ...ownFields('spec', [DEPLOYMENT], field('strategy', object(strategy))),
  ...ownFields('spec', ['STATEFUL_SET', 'DAEMON_SET'], field('strategy', object(strategy), 'updateStrategy')),
  ...ownFields('spec', APPS, ...all(whole, 'minReadySeconds', 'revisionHistoryLimit')),
  ...ownFields('spec', [DEPLOYMENT], field('progressDeadlineSeconds', whole), field('paused', flag)),
  ...ownFields(
    'spec',
    ['STATEFUL_SET'],
    field('podManagementPolicy', word('OrderedReady', 'Parallel')),
    field('volumeClaimTemplates', list(volumeClaim, 'name')),
    field('claimRetention', object(claimRetention), 'persistentVolumeClaimRetentionPolicy'),
  ),
  ...ownFields(
    'spec',
    ['CRON_JOB'],
    field('concurrencyPolicy', word('Allow', 'Forbid', 'Replace')),
    ...all(whole, 'startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'),
    field('jobLabels', pairs, 'jobTemplate.metadata.labels'),
    field('jobAnnotations', pairs, 'jobTemplate.metadata.annotations'),
  ),
  ...ownFields('spec', BATCH, field('suspend', flag)),
  ...ownFields(
    '@job',
    BATCH,
    ...all(
      whole,
      'completions',
      'parallelism',
      'backoffLimit',
      'activeDeadlineSeconds',
      'ttlSecondsAfterFinished',
    ),
    field('completionMode', word('NonIndexed', 'Indexed')),
  ),
  { own: field('podLabels', pairs, '@pod.metadata.labels') },
  { own: field('podAnnotations', pairs, '@pod.metadata.annotations') },
  ...[
    field('containers', list(CONTAINER, 'name')),
    field('initContainers', list(CONTAINER, 'name')),
    field('volumes', list(volume, 'name')),
    field('restartPolicy', restartPolicy),
    ...all(text, 'serviceAccountName'),
    field('automountServiceAccountToken', flag),
    field('imagePullSecrets', { is: 'references' }),
    field('terminationGracePeriodSeconds', whole),
    field('nodeSelector', pairs),
    field('tolerations', list(toleration)),
    field('affinity', object(affinity)),
    field('topologySpreadConstraints', list(topologySpread)),
    ...all(text, 'priorityClassName', 'schedulerName', 'runtimeClassName', 'nodeName'),
    field('securityContext', object(podSecurity)),
    ...all(flag, 'hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace'),
    ...all(text, 'hostname', 'subdomain'),
    field('hostAliases', list([field('ip', text), field('hostnames', texts)], 'ip')),
    field('dnsPolicy', word('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None')),
    field(
      'dnsConfig',
      object([...all(texts, 'nameservers', 'searches'), field('options', list(all(text, 'name', 'value')))]),
    ),
    field('enableServiceLinks', flag),
  ].map((own) => ({ own: { ...own, at: ['@pod', 'spec', ...own.at] } })),
];

/** What an API server adds to the pods of a Job is not theirs who write it. */
const ofJobs: Codec = {
  is: 'pairs',
  unseen: (key) => /^(batch\.kubernetes\.io\/)?(controller-uid|job-name)$/.test(key),
};

/** Where the pod template of a kind stands. */
export function podPath(kind: WorkloadKind): string[] {
  return kind === 'CRON_JOB' ? ['spec', 'jobTemplate', 'spec', 'template'] : ['spec', 'template'];
}

/** The fields that workloads of a kind have. */
export function fieldsOf(kind: WorkloadKind): Field[] {
  const job = kind === 'CRON_JOB' ? ['spec', 'jobTemplate', 'spec'] : ['spec'];
  return FIELDS.filter(({ kinds }) => !kinds || kinds.includes(kind)).map(({ own }) => ({
    ...own,
    is: kind === 'JOB' && own.name === 'podLabels' ? ofJobs : own.is,
    at: own.at.flatMap((key) => (key === '@pod' ? podPath(kind) : key === '@job' ? job : [key])),
  }));
}

/** What the form has inputs for, of the workload and of a container; all else it leaves as it is. */
const SHOWN = new Set(
  (
    'labels annotations replicas strategy serviceName podManagementPolicy schedule timeZone concurrencyPolicy ' +
    'suspend completions parallelism backoffLimit activeDeadlineSeconds ttlSecondsAfterFinished podLabels ' +
    'containers initContainers volumes serviceAccountName imagePullSecrets restartPolicy ' +
    'terminationGracePeriodSeconds nodeSelector tolerations priorityClassName ' +
    'volumeClaimTemplates successfulJobsHistoryLimit failedJobsHistoryLimit'
  ).split(' '),
);
const SHOWN_OF_CONTAINER = new Set(
  (
    'name image imagePullPolicy command args workingDir ports env envFrom resources livenessProbe ' +
    'readinessProbe startupProbe volumeMounts'
  ).split(' '),
);

export function isShown(field: string): boolean {
  return SHOWN.has(field);
}

export function isShownOfContainer(field: string): boolean {
  return SHOWN_OF_CONTAINER.has(field);
}
