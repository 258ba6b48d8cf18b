import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column, Row } from '../../../ui/form/RowsField';
import { column, RowsField } from '../../../ui/form/RowsField';
import { useEditing } from './context';

const SOURCES = {
  configMap: 'ConfigMap',
  secret: 'Secret',
  emptyDir: 'emptyDir',
  persistentVolumeClaim: 'PersistentVolumeClaim',
  hostPath: 'hostPath',
  nfs: 'NFS',
  projected: 'projected (YAML)',
  downwardAPI: 'downwardAPI (YAML)',
  csi: 'CSI (YAML)',
} as const;
type Source = keyof typeof SOURCES;

function sourceOf(row: Row): Source | '' {
  return (Object.keys(SOURCES) as Source[]).find((source) => row[source] !== undefined) ?? '';
}

/** The volumes of the pods. */
export function Volumes() {
  const { t } = useTranslation();
  const { kind } = useEditing();
  const columns = useMemo((): Column[] => {
    const from = (source: Source) => ({ when: (row: Row) => sourceOf(row) === source });
    return [
      column('name', t('compose.name')),
      {
        id: 'source',
        label: t('compose.ofKind'),
        options: Object.entries(SOURCES).map(([value, label]) => ({ value, label })),
        get: sourceOf,
        set: ({ name }, source) => (typeof source === 'string' ? { name, [source]: {} } : { name }),
      },
      column('configMap.name', 'ConfigMap', from('configMap')),
      column('secret.secretName', 'Secret', from('secret')),
      column('emptyDir.sizeLimit', t('compose.sizeLimit'), from('emptyDir')),
      column('emptyDir.medium', t('compose.medium'), from('emptyDir')),
      column('persistentVolumeClaim.claimName', 'PersistentVolumeClaim', from('persistentVolumeClaim')),
      column('hostPath.path', t('compose.hostPath'), from('hostPath')),
      column('nfs.server', t('compose.server'), from('nfs')),
      column('nfs.path', t('compose.path'), from('nfs')),
    ];
  }, [t]);
  const claims = useMemo(
    () => [
      column('name', t('compose.name')),
      column('storage', t('compose.storage')),
      column('storageClassName', t('compose.storageClass')),
      column('accessModes', t('compose.accessModes'), { lines: true }),
    ],
    [t],
  );
  return (
    <fieldset className="setting">
      <legend>{t('compose.volumes')}</legend>
      <RowsField
        name={['form', 'volumes']}
        label={t('compose.volumes')}
        columns={columns}
        add={t('compose.addVolume')}
        check={(row) => (row.name && sourceOf(row) ? null : t('compose.needed'))}
      />
      {kind === 'STATEFUL_SET' && (
        <RowsField
          name={['form', 'volumeClaimTemplates']}
          label={t('compose.claims')}
          columns={claims}
          add={t('compose.addClaim')}
          fresh={{ accessModes: ['ReadWriteOnce'] }}
          check={({ name, storage }) => (name && storage ? null : t('compose.needed'))}
        />
      )}
    </fieldset>
  );
}
