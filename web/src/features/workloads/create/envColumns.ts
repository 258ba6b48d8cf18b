import type { TFunction } from 'i18next';
import type { Column, Row } from '../../../ui/form/RowsField';
import { column } from '../../../ui/form/RowsField';

const SOURCES = {
  configMapKeyRef: 'ConfigMap',
  secretKeyRef: 'Secret',
  fieldRef: 'Pod',
  resourceFieldRef: 'Container',
} as const;
type Source = keyof typeof SOURCES;

function sourceOf({ valueFrom }: Row): Source | '' {
  if (typeof valueFrom !== 'object' || valueFrom === null) return '';
  return (Object.keys(SOURCES) as Source[]).find((source) => source in valueFrom) ?? '';
}

/** The inputs of an environment variable: a value, or where it comes from. */
export function envColumns(t: TFunction): Column[] {
  const from = (source: Source) => (row: Row) => sourceOf(row) === source;
  return [
    column('name', t('compose.name')),
    {
      id: 'source',
      label: t('compose.source'),
      options: [
        { value: '', label: t('compose.fromValue') },
        ...Object.entries(SOURCES).map(([value, label]) => ({ value, label })),
      ],
      get: sourceOf,
      set: ({ name }, source) =>
        typeof source === 'string' && source !== '' ? { name, valueFrom: { [source]: {} } } : { name },
    },
    column('value', t('compose.value'), { when: (row) => sourceOf(row) === '' }),
    ...(['configMapKeyRef', 'secretKeyRef'] as const).flatMap((source) => [
      column(`valueFrom.${source}.name`, SOURCES[source], { when: from(source) }),
      column(`valueFrom.${source}.key`, t('compose.key'), { when: from(source) }),
    ]),
    column('valueFrom.fieldRef.fieldPath', t('compose.fieldPath'), { when: from('fieldRef') }),
    column('valueFrom.resourceFieldRef.resource', t('compose.resource'), { when: from('resourceFieldRef') }),
  ];
}

const WHOLES = { configMapRef: 'ConfigMap', secretRef: 'Secret' } as const;

function wholeOf(row: Row): keyof typeof WHOLES {
  return 'secretRef' in row ? 'secretRef' : 'configMapRef';
}

/** The inputs of a whole ConfigMap or Secret of variables. */
export function envFromColumns(t: TFunction): Column[] {
  return [
    {
      id: 'source',
      label: t('compose.source'),
      options: Object.entries(WHOLES).map(([value, label]) => ({ value, label })),
      get: wholeOf,
      set: (row, source) => ({ prefix: row.prefix, [String(source)]: row[wholeOf(row)] ?? {} }),
    },
    column('configMapRef.name', t('compose.name'), { when: (row) => wholeOf(row) === 'configMapRef' }),
    column('secretRef.name', t('compose.name'), { when: (row) => wholeOf(row) === 'secretRef' }),
    column('prefix', t('compose.prefix')),
  ];
}

const PROBES = ['httpGet', 'tcpSocket', 'exec', 'grpc'] as const;

function probeOf(row: Row): string {
  return PROBES.find((by) => by in row && row[by] !== undefined) ?? '';
}

/** The inputs of a probe: how it asks, and how often. */
export function probeColumns(t: TFunction): Column[] {
  const by = (way: string) => (row: Row) => probeOf(row) === way;
  const any = (row: Row) => probeOf(row) !== '';
  return [
    {
      id: 'by',
      label: t('compose.probeBy'),
      options: [
        { value: '', label: t('compose.noProbe') },
        { value: 'httpGet', label: 'HTTP GET' },
        { value: 'tcpSocket', label: 'TCP' },
        { value: 'exec', label: 'Exec' },
        { value: 'grpc', label: 'gRPC' },
      ],
      get: probeOf,
      set: (row, way) => {
        if (typeof way !== 'string' || way === '') return {};
        const others = Object.fromEntries(
          Object.entries(row).filter(([name]) => !(PROBES as readonly string[]).includes(name)),
        );
        return { ...others, [way]: {} };
      },
    },
    column('httpGet.path', t('compose.path'), { when: by('httpGet') }),
    column('httpGet.port', t('compose.port'), { when: by('httpGet') }),
    column('tcpSocket.port', t('compose.port'), { when: by('tcpSocket') }),
    column('exec.command', t('compose.command'), { when: by('exec'), lines: true }),
    column('grpc.port', t('compose.port'), { when: by('grpc') }),
    column('grpc.service', t('compose.service'), { when: by('grpc') }),
    column('initialDelaySeconds', t('compose.initialDelay'), { when: any }),
    column('periodSeconds', t('compose.period'), { when: any }),
    column('timeoutSeconds', t('compose.timeout'), { when: any }),
    column('failureThreshold', t('compose.failures'), { when: any }),
  ];
}
