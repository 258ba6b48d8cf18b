import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resourceOf } from '../../../app/kinds';
import { usePermission } from '../../../app/permission';
import type { WorkloadDetailFragment, WorkloadKind } from '../../../graph/generated/graphql';
import { Failed, Problems } from '../../../ui/Notices';
import { Stale } from '../../../ui/Stale';
import { YamlView } from '../../../ui/YamlView';
import { useManifest } from './useManifest';
import { EditYaml } from './yaml/EditYaml';

interface ManifestProps {
  workload: WorkloadDetailFragment;
  kind: WorkloadKind;
}

/**
 * The template: as the read store holds it until its feed tells. A default export, so that the editor is fetched
 * when wanted.
 */
export default function Manifest({ workload, kind: workloadKind }: ManifestProps) {
  const { t } = useTranslation();
  // What was edited, as it was when editing began.
  const [base, setBase] = useState<string | null>(null);
  const { manifest, instance, fetching, problems, liveProblems, retry } = useManifest(workload);

  if (manifest == null) {
    if (fetching) return <Skeleton active paragraph={{ rows: 12 }} />;
    if (problems.length > 0) return <Failed problems={problems} retry={retry} />;
    return <p className="muted">{t('workload.yamlEmpty')}</p>;
  }
  return (
    <section className="manifest">
      <Problems problems={problems} retry={retry} />
      <Stale unwatched={[{ instance, problems: liveProblems }]} />
      {base === null ? (
        <ReadYaml
          workload={workload}
          kind={workloadKind}
          manifest={manifest}
          edit={() => setBase(manifest)}
        />
      ) : (
        <EditYaml workload={workload} base={base} now={manifest} close={() => setBase(null)} />
      )}
    </section>
  );
}

interface ReadYamlProps extends ManifestProps {
  manifest: string;
  edit: () => void;
}

function ReadYaml({ workload, kind, manifest, edit }: ReadYamlProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const { instance, namespace } = workload;
  const { allowed, reason } = usePermission({
    instance: instance?.name ?? '',
    verb: 'PATCH',
    ...resourceOf(kind),
    namespace,
  });
  return (
    <>
      <div className="manifest-actions">
        <Button
          size="small"
          onClick={() => {
            void navigator.clipboard.writeText(manifest).then(() => {
              setCopied(true);
              setTimeout(() => setCopied(false), 2_000);
            });
          }}
        >
          <span aria-live="polite">{copied ? t('workload.copied') : t('workload.copy')}</span>
        </Button>
        {allowed && (
          <Button size="small" onClick={edit}>
            {t('edit.button')}
          </Button>
        )}
        {allowed === false && (
          <span className="muted small" data-not-allowed="edit" title={reason}>
            {t('edit.notAllowed')}
          </span>
        )}
      </div>
      <YamlView text={manifest} label={t('workload.yamlLabel', { name: workload.name })} />
    </>
  );
}
