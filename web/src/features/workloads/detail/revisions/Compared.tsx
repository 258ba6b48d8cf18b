import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { RevisionRowFragment } from '../../../../graph/generated/graphql';
import { RevisionTemplatesDocument } from '../../../../graph/generated/graphql';
import { problemsOf } from '../../../../graph/problems';
import { DiffView } from '../../../../ui/diff/DiffView';
import { Problems } from '../../../../ui/Notices';

interface ComparedProps {
  from: RevisionRowFragment;
  to: RevisionRowFragment;
}

/** The pod templates of two revisions, line by line. */
export function Compared({ from, to }: ComparedProps) {
  const { t } = useTranslation();
  const [{ data, error, fetching }, refetch] = useQuery({
    query: RevisionTemplatesDocument,
    variables: { from: from.id, to: to.id },
    // A revision never changes.
    requestPolicy: 'cache-first',
  });
  const [before, after] = [templateOf(data?.from), templateOf(data?.to)];
  if (before === null || after === null) {
    if (fetching) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
    return error ? (
      <Problems problems={problemsOf(error)} retry={() => refetch({ requestPolicy: 'network-only' })} />
    ) : (
      <p className="muted">{t('revisions.noTemplate')}</p>
    );
  }
  return (
    <DiffView
      from={before}
      to={after}
      label={t('revisions.compared', { from: from.revision, to: to.revision })}
    />
  );
}

function templateOf(node: { template?: string | null } | object | null | undefined): string | null {
  return node && 'template' in node ? (node.template ?? null) : null;
}
