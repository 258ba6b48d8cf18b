import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { groupOf } from '../../app/objects';
import { ResourceMakingDocument } from '../../graph/generated/graphql';
import type { ServedKind } from './kinds';
import { isBegun } from './kinds';

interface CreateLinkProps {
  instance: string | undefined;
  served: ServedKind | undefined;
}

/** Leads to where an object of one of Karmada's own kinds is made, from what one of them looks like. */
export function CreateLink({ instance, served }: CreateLinkProps) {
  const { t } = useTranslation();
  const asked = served !== undefined && isBegun(served);
  const [{ data }] = useQuery({
    query: ResourceMakingDocument,
    variables: useMemo(
      () => ({
        instance: instance ?? '',
        group: groupOf(served?.apiVersion ?? ''),
        resource: served?.name ?? '',
      }),
      [instance, served],
    ),
    requestPolicy: 'cache-first',
    pause: !asked || instance === undefined,
  });
  if (!asked) return null;
  const { kind } = served;
  if (instance === undefined) {
    return (
      <span className="muted" data-create="no-instance">
        {t('resources.createWhere', { kind })}
      </span>
    );
  }
  const namespaces = data?.instance?.access.namespaces;
  if (namespaces === undefined) return null;
  if (served.scope === 'CLUSTER' ? namespaces !== null : namespaces?.length === 0) {
    return (
      <span className="muted" data-not-allowed="create">
        {t('resources.mayNotCreate', { kind })}
      </span>
    );
  }
  return (
    <Link to="/apply" search={{ instance, begin: kind }} className="button-link">
      {t('resources.create', { kind })}
    </Link>
  );
}
