import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { PolicyMakingDocument } from '../../graph/generated/graphql';
import { kindsFor } from './edit/making';

/** Leads to where policies are made, whoever may make any. */
export function CreateLink({ instance }: { instance: string | undefined }) {
  const { t } = useTranslation();
  const [{ data }] = useQuery({ query: PolicyMakingDocument, requestPolicy: 'cache-first' });
  const may = data?.instances?.nodes.some(
    (node) => (instance === undefined || node.name === instance) && kindsFor(node).length > 0,
  );
  if (!may) return null;
  return (
    <Link to="/policies/new" search={{ instance }} className="button-link">
      {t('policyEdit.new')}
    </Link>
  );
}
