import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { WorkloadMakingDocument } from '../../../graph/generated/graphql';
import { mayMakeIn } from '../create/making';

/** Leads to where workloads are made, whoever may make any. */
export function CreateLink({ instance, namespace }: { instance?: string; namespace?: string[] }) {
  const { t } = useTranslation();
  const [{ data }] = useQuery({ query: WorkloadMakingDocument, requestPolicy: 'cache-first' });
  if (mayMakeIn(data?.instances?.nodes ?? [], instance).length === 0) return null;
  return (
    <Link to="/workloads/new" search={{ instance, namespace }} className="button-link">
      {t('workloads.create')}
    </Link>
  );
}
