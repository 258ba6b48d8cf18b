import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type {
  MendPolicyQuery,
  PropagationPolicyInput,
  UpdatePolicyInput,
} from '../../../../graph/generated/graphql';
import { MendPolicyDocument, MendUpdatePolicyDocument } from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import type { MendDialogProps } from './context';
import { Impact } from './Impact';
import { Loading } from './Loading';

type Policy = Extract<MendPolicyQuery['node'], { placement: unknown }>;

interface ChangePolicyProps extends MendDialogProps {
  what: 'tolerate' | 'overwrite' | 'propagateDeps' | 'dispatch';
  /** What the policy is to be, of what it is. */
  change: (policy: Policy) => PropagationPolicyInput;
  /** What changes, in the words of the policy's fields. */
  summary: string;
}

/** Changes the policy that claims a workload, and shows what that does to everything it claims. */
export function ChangePolicy({ workload, instance, what, change, summary, close }: ChangePolicyProps) {
  const { t } = useTranslation();
  const id = workload.propagation?.policy?.id ?? '';
  const [{ data, error }, refetch] = useQuery({ query: MendPolicyDocument, variables: { id } });
  const node = data?.node;
  const policy = node && 'placement' in node ? node : null;
  const input = useMemo(
    () => (policy ? { instance, id, policy: change(policy) } : null),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- by the policy: the change is another function each time
    [instance, id, policy],
  );
  const title = t(`why.${what}.title`);
  if (!policy)
    return (
      <Loading
        title={title}
        close={close}
        error={error}
        retry={() => refetch({ requestPolicy: 'network-only' })}
      />
    );

  return (
    <ActionDialog
      open
      close={close}
      title={title}
      name="change-policy"
      action={{
        document: MendUpdatePolicyDocument,
        payload: (data) => data.updatePolicy,
        done: () => t('why.changePolicy.done', { policy: policy.name }),
        failed: t('why.changePolicy.failed'),
      }}
      initial={{}}
      input={() => updateOf(id, policy, change(policy))}
      submit={t('why.changePolicy.submit')}
      lead={t(`why.${what}.lead`)}
    >
      <p>
        <span className="name">{policy.name}</span> <span className="kind">{policy.kind}</span>
        <br />
        <code className="mono wrap">{summary}</code>
      </p>
      <Impact input={input} />
    </ActionDialog>
  );
}

function updateOf(id: string, policy: Policy, change: PropagationPolicyInput): UpdatePolicyInput {
  const { uid, resourceVersion, kind } = policy;
  const update = { id, uid, resourceVersion: resourceVersion ?? '' };
  return kind === 'ClusterPropagationPolicy'
    ? { ...update, clusterPropagationPolicy: change }
    : { ...update, propagationPolicy: change };
}
