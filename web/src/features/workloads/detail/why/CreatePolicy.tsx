import { Form } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { PropagationPolicyInput, ReplicaSchedulingType } from '../../../../graph/generated/graphql';
import { MendClustersDocument, MendCreatePolicyDocument } from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import { CheckField, ChecksField } from '../../../../ui/form/ChecksField';
import { SelectField, TextField } from '../../../../ui/form/Field';
import { isPartOfName } from '../../../../ui/typed';
import type { MendDialogProps } from './context';
import { Impact } from './Impact';
import { Loading } from './Loading';

interface Values {
  name: string;
  clusters: string[];
  type: ReplicaSchedulingType;
  propagateDeps: boolean;
}

/** Makes a policy that selects one workload, and shows where it would go before it is made. */
export function CreatePolicy({ workload, instance, close }: MendDialogProps) {
  const { t } = useTranslation();
  const title = t('why.createPolicy.title', { name: workload.name });
  const [{ data, error }, refetch] = useQuery({ query: MendClustersDocument, variables: { instance } });
  const clusters = data?.instance?.clusters?.nodes;
  if (!clusters)
    return (
      <Loading
        title={title}
        close={close}
        error={error}
        retry={() => refetch({ requestPolicy: 'network-only' })}
      />
    );

  const { apiVersion, kind, namespace, name, replicas } = workload;
  const policyOf = (values: Values): PropagationPolicyInput => ({
    name: values.name,
    namespace,
    resourceSelectors: [{ apiVersion, kind, name }],
    propagateDeps: values.propagateDeps,
    placement: {
      clusterAffinity: { clusterNames: values.clusters },
      replicaScheduling: replicas === null ? undefined : { type: values.type },
    },
  });
  const initial: Values = { name, clusters: [], type: 'DUPLICATED', propagateDeps: true };
  return (
    <ActionDialog
      open
      close={close}
      title={title}
      name="create-policy"
      action={{
        document: MendCreatePolicyDocument,
        payload: (data) => data.createPolicy,
        done: ({ policy }) => t('why.createPolicy.done', { policy: policy?.name ?? '' }),
        failed: t('why.createPolicy.failed'),
      }}
      initial={initial}
      input={(values) => ({ instance, propagationPolicy: policyOf(values) })}
      paths={{
        'propagationPolicy.name': 'name',
        'propagationPolicy.placement.clusterAffinity.clusterNames': 'clusters',
      }}
      submit={t('why.createPolicy.submit')}
      lead={t('why.createPolicy.lead')}
    >
      <TextField
        name="name"
        label={t('why.createPolicy.name')}
        check={(typed) => (typed !== '' && isPartOfName(typed) ? null : t('why.createPolicy.badName'))}
      />
      <ChecksField
        name="clusters"
        label={t('why.createPolicy.clusters')}
        required={t('why.createPolicy.noClusters')}
        options={clusters.map(({ name, state }) => ({
          value: name,
          label: state === 'READY' ? name : `${name} (${t(`state.${state}`)})`,
        }))}
      />
      {replicas !== null && (
        <SelectField
          name="type"
          label={t('why.createPolicy.replicas')}
          options={[
            { value: 'DUPLICATED', label: t('why.createPolicy.duplicated', { replicas }) },
            { value: 'DIVIDED', label: t('why.createPolicy.divided', { replicas }) },
          ]}
        />
      )}
      <CheckField name="propagateDeps" label={t('why.createPolicy.propagateDeps')} />
      <Preview instance={instance} policyOf={policyOf} />
    </ActionDialog>
  );
}

interface PreviewProps {
  instance: string;
  policyOf: (values: Values) => PropagationPolicyInput;
}

/** Asked anew when the placement changes; the name is no part of it, and letters of it are no questions. */
function Preview({ instance, policyOf }: PreviewProps) {
  const form = Form.useFormInstance<Values>();
  const clusters = Form.useWatch<string[] | undefined>('clusters', form);
  const type = Form.useWatch<ReplicaSchedulingType | undefined>('type', form);
  const input = useMemo(() => {
    if (!clusters || clusters.length === 0) return null;
    const values = form.getFieldsValue();
    return { instance, policy: policyOf({ ...values, clusters, type: type ?? values.type }) };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- by what is chosen: the function is another one each time
  }, [instance, clusters, type]);
  return <Impact input={input} />;
}
