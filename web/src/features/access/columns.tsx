import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Age } from '../../ui/Age';
import type { DataColumn } from '../../ui/table/columns';
import { StateBadge } from '../../ui/tone';
import type { Binding } from './binding';
import { forceOf, subjectParts, whereOf } from './binding';
import { Revoke } from './Revoke';

/** The columns of the list of bindings. `changed`: a binding was revoked. */
export function useAccessColumns(changed: () => void): DataColumn<Binding>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'who',
        header: t('access.who'),
        namesRow: true,
        attributes: ({ subject }) => ({ title: subject.name }),
        cell: ({ subject }) => <Subject subject={subject} />,
      },
      {
        id: 'role',
        header: t('access.role'),
        attributes: (row) => ({ title: row.role }),
        cell: (row) => <Role binding={row} />,
      },
      {
        id: 'where',
        header: t('access.where'),
        attributes: (row) => ({ title: whereOf(row, t) }),
        cell: (row) => whereOf(row, t),
      },
      {
        id: 'force',
        header: t('access.inForce'),
        attributes: (row) => ({ 'data-force': forceOf(row).word }),
        cell: (row) => <Force binding={row} />,
      },
      {
        id: 'why',
        header: t('access.why'),
        attributes: (row) => ({ title: row.name }),
        cell: (row) => <Why binding={row} />,
      },
      {
        id: 'age',
        header: t('access.since'),
        number: true,
        cell: ({ createdAt }) => <Age since={createdAt} />,
      },
      { id: 'revoke', header: t('access.action'), cell: (row) => <Revoke binding={row} changed={changed} /> },
    ],
    [t, changed],
  );
}

export function Subject({ subject: { kind, name } }: { subject: Binding['subject'] }) {
  const { t } = useTranslation();
  const { short, origin } = subjectParts(name);
  return (
    <>
      <span className="name">{short}</span>{' '}
      <span className="muted small">
        {t(`access.subjectKind.${kind}`)}
        {origin && ` · ${origin}`}
      </span>
    </>
  );
}

function Role({ binding: { role, roleKind } }: { binding: Binding }) {
  const { t } = useTranslation();
  return (
    <>
      {role}
      {roleKind !== 'BUILT_IN' && <span className="muted small"> {t(`access.roleKind.${roleKind}`)}</span>}
    </>
  );
}

function Force({ binding }: { binding: Binding }) {
  const { t } = useTranslation();
  const { tone, word, why } = forceOf(binding);
  return (
    <StateBadge tone={tone} title={why}>
      {t(`access.force.${word}`)}
    </StateBadge>
  );
}

/** Where the role comes from: who gave it, or what did. */
export function Why({ binding: { source, sourceName, grantedBy, name } }: { binding: Binding }) {
  const { t } = useTranslation();
  const by = grantedBy ? subjectParts(grantedBy).short : sourceName;
  return (
    <>
      {t(`access.source.${source}`)}
      {by && <span className="muted"> · {by}</span>} <span className="muted small">{name}</span>
    </>
  );
}
