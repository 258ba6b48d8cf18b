import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { BulkBar } from '../../../../app/bulk/BulkBar';
import { MOST_DELETED } from '../../../../app/bulk/BulkDelete';
import { BulkRightsDocument } from '../../../../graph/generated/graphql';
import type { Row } from '../page';
import { Begun } from './Begun';
import './texts';
import type { BulkVerb, Sorted } from './verbs';
import { BULK_VERBS, rightsOf, sorted } from './verbs';

interface BulkProps {
  chosen: readonly Row[];
  clear: () => void;
}

/** What can be done to all workloads that are chosen. */
export function Bulk({ chosen, clear }: BulkProps) {
  // The rows as they were chosen: those that are deleted leave the list.
  const [begun, setBegun] = useState<({ verb: BulkVerb } & Sorted) | null>(null);
  return (
    <>
      <BulkBar count={chosen.length} clear={clear}>
        <Verbs chosen={chosen} begin={(verb, of) => setBegun({ verb, ...of })} />
      </BulkBar>
      {begun && <Begun {...begun} close={() => setBegun(null)} />}
    </>
  );
}

interface VerbsProps {
  chosen: readonly Row[];
  begin: (verb: BulkVerb, of: Sorted) => void;
}

function Verbs({ chosen, begin }: VerbsProps) {
  const { t } = useTranslation();
  const names = [...new Set(chosen.map(({ instance }) => instance?.name ?? ''))].sort().join(' ');
  const [{ data }] = useQuery({
    query: BulkRightsDocument,
    variables: useMemo(() => ({ names: names.split(' ').filter(Boolean) }), [names]),
    requestPolicy: 'cache-first',
  });
  const rights = useMemo(() => rightsOf(data), [data]);
  if (!rights) return null;
  return BULK_VERBS.map((verb) => {
    const of = sorted(verb, chosen, rights);
    const tooMany = verb === 'delete' && of.rows.length > MOST_DELETED;
    const why = tooMany ? t('bulk.tooMany', { most: MOST_DELETED }) : whyNone(of);
    return (
      <Button
        key={verb}
        size="small"
        danger={verb === 'delete'}
        aria-haspopup="dialog"
        data-bulk={verb}
        disabled={why !== undefined}
        title={why === 'kind' || why === 'right' || why === 'deleting' ? t(`workloadBulk.none.${why}`) : why}
        onClick={() => begin(verb, of)}
      >
        {t(`workloadBulk.verb.${verb}`)}
      </Button>
    );
  });
}

/** Why it can be done to none of them: the right, where the kind alone would allow it. */
function whyNone({ rows, leftOut }: Sorted) {
  if (rows.length > 0) return undefined;
  return (['right', 'deleting', 'kind'] as const).find((why) => leftOut.some((left) => left.why === why));
}
