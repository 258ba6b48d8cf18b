import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../app/fleet';
import { useViewer } from '../../app/viewer';
import type { SubjectKind } from '../../graph/generated/graphql';
import { GrantAccessDocument } from '../../graph/generated/graphql';
import { ActionDialog } from '../../ui/action/ActionDialog';
import { SelectField, SuggestField, WordsField } from '../../ui/form/Field';
import { isNamespace } from '../../ui/typed';
import type { Binding } from './binding';
import { BUILT_IN_ROLES, grantableIn, isSubject, subjectParts, whereOf } from './binding';
import { SUBJECT_KINDS } from './search';

interface GrantProps {
  /** The instance that is looked at. */
  instance: string | undefined;
  /** Bindings that are known: their subjects and roles are suggested. */
  known: readonly Binding[];
  changed: () => void;
}

interface Values {
  kind: SubjectKind;
  subject: string;
  role: string;
  instance: string;
  namespaces: string[];
}

/** Gives somebody a role. Offered to who may give any. */
export function Grant({ instance, known, changed }: GrantProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { instances } = useFleet();
  const viewer = useViewer();
  const where = grantableIn(viewer, instances?.map(({ name }) => name) ?? []);
  if (!viewer || !instances) return null;
  if (!where.all && where.instances.length === 0) {
    return (
      <span className="muted small" data-not-allowed="grant">
        {t('access.mayNotGrant')}
      </span>
    );
  }
  const initial: Values = {
    kind: 'USER',
    subject: 'kairship:oidc:',
    role: 'Viewer',
    instance: instance && where.instances.includes(instance) ? instance : (where.instances[0] ?? ''),
    namespaces: [],
  };
  return (
    <>
      <Button type="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('access.grant')}
      </Button>
      <ActionDialog
        open={open}
        close={() => setOpen(false)}
        title={t('access.grantTitle')}
        name="grant"
        action={{
          document: GrantAccessDocument,
          payload: (data) => data.grantAccess,
          done: ({ binding }) =>
            t('access.granted', {
              name: subjectParts(binding?.subject.name ?? '').short,
              role: binding?.role,
              where: binding && whereOf(binding, t),
            }),
          failed: t('access.grantFailed'),
        }}
        initial={initial}
        input={({ kind, subject, role, instance, namespaces }) =>
          isSubject(subject) && role !== '' && namespaces.every(isNamespace)
            ? {
                subject: { kind, name: subject },
                role,
                instance: instance || undefined,
                namespaces: namespaces.length > 0 ? namespaces : undefined,
              }
            : null
        }
        paths={{ 'subject.name': 'subject', 'subject.kind': 'kind' }}
        submit={t('access.grant')}
        lead={t('access.grantLead')}
        onDone={changed}
      >
        <SelectField
          name="kind"
          label={t('access.kindOfSubject')}
          options={SUBJECT_KINDS.map((value) => ({ value, label: t(`access.subjectKind.${value}`) }))}
        />
        <SuggestField
          name="subject"
          label={t('access.subject')}
          hint={t('access.subjectHint')}
          suggestions={[...new Set(known.map(({ subject }) => subject.name))].sort()}
          check={(typed) => (isSubject(typed) ? null : t('access.notASubject', { typed }))}
        />
        <SuggestField
          name="role"
          label={t('access.role')}
          hint={t('access.roleHint')}
          suggestions={[...new Set([...BUILT_IN_ROLES, ...known.map(({ role }) => role)])]}
          check={(typed) => (typed === '' ? t('access.noRole') : null)}
        />
        <SelectField
          name="instance"
          label={t('app.instance')}
          options={[
            ...(where.all ? [{ value: '', label: t('app.allInstances') }] : []),
            ...where.instances.map((value) => ({ value, label: value })),
          ]}
        />
        <WordsField
          name="namespaces"
          label={t('access.namespaces')}
          hint={t('access.namespacesHint')}
          suggestions={[...new Set(known.flatMap(({ namespaces }) => namespaces))].sort()}
          placeholder={t('access.allNamespaces')}
          check={(word) => (isNamespace(word) ? null : t('access.notANamespace', { typed: word }))}
        />
      </ActionDialog>
    </>
  );
}
