import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { MendClustersDocument, MendUpdateClusterDocument } from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import { SelectField } from '../../../../ui/form/Field';
import type { SeenTaint } from '../../../../ui/finding/evidence';
import type { MendDialogProps } from './context';
import { Loading } from './Loading';
import { taintText } from './taints';

/** Takes the taint away that keeps a workload from a cluster. */
export function RemoveTaint({ instance, taints, close }: MendDialogProps & { taints: readonly SeenTaint[] }) {
  const { t } = useTranslation();
  const title = t('why.removeTaint.title');
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

  const choices = taints.flatMap((taint) => {
    const cluster = known.find(({ name }) => name === taint.cluster);
    return cluster ? [{ taint, cluster, value: `${cluster.id} ${taintText(taint)}` }] : [];
  });
  const chosenBy = (value: string) => choices.find((choice) => choice.value === value);
  return (
    <ActionDialog
      open
      close={close}
      title={title}
      name="remove-taint"
      action={{
        document: MendUpdateClusterDocument,
        payload: (data) => data.updateCluster,
        done: ({ cluster }) => t('why.removeTaint.done', { cluster: cluster?.name ?? '' }),
        failed: t('why.removeTaint.failed'),
        undo: (_, { id, uid, removeTaints }) => {
          const taint = taints.find(
            ({ key, effect }) => key === removeTaints?.[0]?.key && effect === removeTaints[0].effect,
          );
          return taint && { id, uid, taints: [{ key: taint.key, value: taint.value, effect: taint.effect }] };
        },
      }}
      initial={{ choice: choices[0]?.value ?? '' }}
      input={({ choice }) => {
        const chosen = chosenBy(choice);
        if (!chosen) return null;
        const { cluster, taint } = chosen;
        return { id: cluster.id, uid: cluster.uid, removeTaints: [{ key: taint.key, effect: taint.effect }] };
      }}
      paths={{ removeTaints: 'choice' }}
      submit={t('why.removeTaint.submit')}
      lead={t('why.removeTaint.lead')}
    >
      <SelectField
        name="choice"
        label={t('why.removeTaint.taint')}
        options={choices.map(({ taint, value }) => ({
          value,
          label: `${taint.cluster} · ${taintText(taint)}`,
        }))}
      />
    </ActionDialog>
  );
}
