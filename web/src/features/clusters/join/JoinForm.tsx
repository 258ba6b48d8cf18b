import { useTranslation } from 'react-i18next';
import { JoinClusterDocument } from '../../../graph/generated/graphql';
import { ActionForm } from '../../../ui/action/ActionDialog';
import { AreaField, SelectField, TextField, WordsField } from '../../../ui/form/Field';
import { LabelRows, TaintRows } from '../member/rows';
import type { JoinValues } from './input';
import { isMemberName, joinInput, LONGEST_MEMBER, MINUTES, minutesOf } from './input';

interface JoinFormProps {
  pull: boolean;
  /** Those to which the viewer may join clusters. */
  instances: readonly string[];
  instance: string;
  close: () => void;
  done: (operation: string, command: string | null) => void;
}

export function JoinForm({ pull, instances, instance, close, done }: JoinFormProps) {
  const { t } = useTranslation();
  const initial: JoinValues = {
    instance,
    name: '',
    kubeconfig: '',
    tokenMinutes: String(MINUTES.usual),
    provider: '',
    region: '',
    zones: [],
    labels: [],
    taints: [],
  };
  return (
    <ActionForm
      name="join"
      action={{
        document: JoinClusterDocument,
        payload: (data) => data.joinCluster,
        failed: t('join.failed'),
      }}
      initial={initial}
      input={(values) => joinInput(values, pull)}
      rehearsal={{
        label: t('join.check'),
        input: (values) => {
          const input = joinInput(values, pull);
          return input && { ...input, dryRun: true };
        },
        passed: t(pull ? 'join.checkedPull' : 'join.checkedPush'),
      }}
      lead={t(pull ? 'join.pullLead' : 'join.pushLead')}
      submit={t(pull ? 'join.getCommand' : 'join.submit')}
      close={close}
      done={({ operation, command }) => operation && done(operation.id, command ?? null)}
    >
      <SelectField
        name="instance"
        label={t('app.instance')}
        options={instances.map((value) => ({ value, label: value }))}
      />
      <TextField
        name="name"
        label={t('join.name')}
        hint={t('join.nameHint')}
        check={(typed) => (isMemberName(typed) ? null : t('join.notAName', { typed, most: LONGEST_MEMBER }))}
      />
      {pull ? (
        <TextField
          name="tokenMinutes"
          label={t('join.minutes')}
          hint={t('join.minutesHint')}
          numeric
          check={(typed) => (minutesOf(typed) === null ? t('join.notMinutes', { typed, ...MINUTES }) : null)}
        />
      ) : (
        <AreaField
          name="kubeconfig"
          label={t('join.kubeconfig')}
          hint={t('join.kubeconfigHint')}
          file={t('join.fromFile')}
          check={(typed) => (typed === '' ? t('join.noKubeconfig') : null)}
        />
      )}
      <details className="more-fields">
        <summary>{t('join.more')}</summary>
        <div className="action">
          <TextField name="provider" label={t('member.provider')} hint={t('join.providerHint')} />
          <TextField name="region" label={t('member.region')} />
          <WordsField name="zones" label={t('member.zones')} hint={t('join.wordsHint')} />
          {!pull && (
            <>
              <LabelRows />
              <TaintRows />
            </>
          )}
        </div>
      </details>
    </ActionForm>
  );
}
