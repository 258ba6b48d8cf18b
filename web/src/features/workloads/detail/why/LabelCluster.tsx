import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { MendClustersDocument, MendUpdateClusterDocument } from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import { SelectField } from '../../../../ui/form/Field';
import type { MendDialogProps } from './context';
import { Loading } from './Loading';
import type { Label } from './mends';

interface LabelClusterProps extends MendDialogProps {
  labels: readonly Label[];
  clusters: readonly string[];
}

/** Gives a cluster the labels that an affinity asks for. */
export function LabelCluster({ instance, labels, clusters, close }: LabelClusterProps) {
  const { t } = useTranslation();
  const title = t('why.labelCluster.title');
  const [{ data, error }, refetch] = useQuery({ query: MendClustersDocument, variables: { instance } });
  const known = data?.instance?.clusters?.nodes;
  if (!known)
    return (
      <Loading
        title={title}
        close={close}
        error={error}
        retry={() => refetch({ requestPolicy: 'network-only' })}
      />
    );

  const choices = known.filter(({ name }) => clusters.includes(name));
  const text = labels.map(({ key, value }) => `${key}=${value}`).join(', ');
  return (
    <ActionDialog
      open
      close={close}
      title={title}
      name="label-cluster"
      action={{
        document: MendUpdateClusterDocument,
        payload: (data) => data.updateCluster,
        done: ({ cluster }) => t('why.labelCluster.done', { cluster: cluster?.name ?? '', labels: text }),
        failed: t('why.labelCluster.failed'),
        undo: (_, { id, uid }) => ({ id, uid, removeLabels: newKeys(String(id)) }),
      }}
      initial={{ id: choices[0]?.id ?? '' }}
      input={({ id }) => {
        const chosen = choices.find((cluster) => cluster.id === id);
        return chosen ? { id, uid: chosen.uid, labels: [...labels] } : null;
      }}
      paths={{ labels: 'id' }}
      submit={t('why.labelCluster.submit')}
      lead={t('why.labelCluster.lead')}
    >
      <SelectField
        name="id"
        label={t('workload.cluster')}
        options={choices.map(({ id, name, region }) => ({
          value: id,
          label: region ? `${name} · ${region}` : name,
        }))}
      />
      <p>
        {t('why.labelCluster.labels')} <code className="mono">{text}</code>
      </p>
    </ActionDialog>
  );

  /** Those that the cluster did not have: what is taken back is what was added. */
  function newKeys(id: string): string[] {
    const had = new Set(choices.find((cluster) => cluster.id === id)?.labels.map(({ key }) => key));
    return labels.map(({ key }) => key).filter((key) => !had.has(key));
  }
}
