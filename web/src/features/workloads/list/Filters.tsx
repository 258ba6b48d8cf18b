import { useNavigate } from '@tanstack/react-router';
import { Button, Select } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { NameFilter } from '../../../ui/NameFilter';
import { KINDS } from '../../../app/kinds';
import type { Row } from './page';
import type { WorkloadsSearch } from './search';
import { isNarrowed, STATES } from './search';

interface FiltersProps {
  search: WorkloadsSearch;
  rows: readonly Row[];
}

/** What the list is narrowed to. All of it lives in the address. */
export function Filters({ search, rows }: FiltersProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const narrow = (change: Partial<WorkloadsSearch>) =>
    void navigate({
      to: '/workloads',
      search: (before) => ({ ...before, ...change, after: undefined }),
      replace: true,
    });

  const namespaces = useMemo(
    () => [...new Set([...rows.map((row) => row.namespace), ...(search.namespace ?? [])])].sort(),
    [rows, search.namespace],
  );

  return (
    <search className="filters">
      <NameFilter name={search.name} change={(name) => narrow({ name })} />
      <Select
        className="filter-kinds"
        mode="multiple"
        allowClear
        maxTagCount="responsive"
        aria-label={t('filter.kind')}
        placeholder={t('filter.anyKind')}
        value={search.kind ?? []}
        options={KINDS.map(({ path, kind }) => ({ value: path, label: kind }))}
        onChange={(kind) => narrow({ kind: kind.length > 0 ? kind : undefined })}
      />
      <Select
        className="filter-kinds"
        mode="multiple"
        allowClear
        maxTagCount="responsive"
        aria-label={t('filter.state')}
        placeholder={t('filter.anyState')}
        value={search.state ?? []}
        options={STATES.map((state) => ({ value: state.toLowerCase(), label: t(`state.${state}`) }))}
        onChange={(state) => narrow({ state: state.length > 0 ? state : undefined })}
      />
      <Select
        className="filter-namespaces"
        mode="tags"
        allowClear
        maxTagCount="responsive"
        tokenSeparators={[',', ' ']}
        aria-label={t('filter.namespace')}
        placeholder={t('filter.anyNamespace')}
        value={search.namespace ?? []}
        options={namespaces.map((value) => ({ value, label: value }))}
        onChange={(namespace) => narrow({ namespace: namespace.length > 0 ? namespace : undefined })}
      />
      {isNarrowed(search) && (
        <Button
          type="text"
          onClick={() => narrow({ kind: undefined, state: undefined, namespace: undefined, name: undefined })}
        >
          {t('filter.clear')}
        </Button>
      )}
    </search>
  );
}
