import { Alert, Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { useFleet } from '../../../app/fleet';
import { InstanceKindsDocument } from '../../../graph/generated/graphql';
import type { Blamed } from './blame';
import { stillSaid } from './blame';
import { FormContext } from './context';
import type { Opened } from './document';
import { GroupFields } from './FieldView';
import type { PolicyText } from './usePolicyText';

interface PolicyFormProps {
  policy: PolicyText;
  opened: Opened;
  /** What the server said, and of which object. */
  blamed: Blamed | null;
  then: unknown;
  instance: string;
  label: string;
  named: boolean;
  toYaml: () => void;
}

/** A policy as a form, or why it cannot be shown as one. */
export function PolicyForm({ opened, toYaml, ...rest }: PolicyFormProps) {
  const { t } = useTranslation();
  if (!opened.ok) {
    return (
      <Alert
        type="info"
        showIcon
        title={t(`policyForm.cannot.${opened.reason}`, { detail: opened.detail })}
        description={
          <>
            {opened.reason === 'syntax' && <p className="mono wrap">{opened.detail}</p>}
            <p>{t('policyForm.kept')}</p>
          </>
        }
        action={
          <Button size="small" onClick={toYaml}>
            {t('policyForm.toYaml')}
          </Button>
        }
      />
    );
  }
  return <Shown {...rest} opened={opened} />;
}

type ShownProps = Omit<PolicyFormProps, 'opened' | 'toYaml'> & { opened: Extract<Opened, { ok: true }> };

function Shown({ policy, opened, blamed, then, instance, label, named }: ShownProps) {
  const { t } = useTranslation();
  const { instances } = useFleet();
  const [{ data, fetching }] = useQuery({
    query: InstanceKindsDocument,
    variables: useMemo(() => ({ instance }), [instance]),
    requestPolicy: 'cache-first',
  });
  const { value, shape, hidden } = opened;
  const clusters =
    instances?.find(({ name }) => name === instance)?.clusters?.nodes.map(({ name }) => name) ?? [];
  const view = {
    policy,
    value,
    said: blamed ? stillSaid(blamed, then, value) : new Map<string, readonly string[]>(),
    clusters,
    // While they are on their way, what stands there can be seen all the same.
    kinds: data?.instance?.apiResources ?? (fetching ? [] : null),
    named,
  };
  const { metadata, spec } = shape.fields;
  return (
    <FormContext value={view}>
      <form
        className="action pf"
        aria-label={label}
        data-policy-form
        onSubmit={(event) => event.preventDefault()}
      >
        {view.kinds === null && <p className="muted small">{t('policyForm.kindUnread')}</p>}
        {metadata?.is === 'group' && (
          <fieldset className="pf-plain">
            <legend className="sr-only">{t('policyForm.field.metadata')}</legend>
            <GroupFields fields={metadata.fields} path={METADATA} of={t('policyForm.field.metadata')} />
          </fieldset>
        )}
        {spec?.is === 'group' && (
          <GroupFields fields={spec.fields} path={SPEC} of={t('policyForm.field.spec')} />
        )}
        {hidden.length > 0 && (
          <Alert
            type="info"
            showIcon
            data-hidden
            title={t('policyForm.hidden')}
            description={<span className="mono wrap">{hidden.join(', ')}</span>}
          />
        )}
      </form>
    </FormContext>
  );
}

const METADATA = ['metadata'];
const SPEC = ['spec'];
