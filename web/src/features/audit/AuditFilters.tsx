import { useNavigate } from '@tanstack/react-router';
import { Button, Select } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditOutcome } from '../../graph/generated/graphql';
import { NameFilter } from '../../ui/NameFilter';
import type { AuditRow } from './object';
import type { AuditSearch, Span } from './search';
import { isNarrowed, NARROWING, OUTCOMES, sinceOf, SPANS } from './search';

interface FiltersProps {
  search: AuditSearch;
  rows: readonly AuditRow[];
}

/** What the log is narrowed to. All of it lives in the address. */
export function AuditFilters({ search, rows }: FiltersProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const narrow = (change: Partial<AuditSearch>) =>
    void navigate({
      to: '/audit',
      search: (before) => ({ ...before, ...change, after: undefined, event: undefined }),
      replace: true,
    });

  return (
    <search className="filters">
      <NameFilter name={search.name} change={(name) => narrow({ name })} />
      <Words
        label={t('audit.principal')}
        placeholder={t('audit.anyPrincipal')}
        chosen={search.principal}
        seen={rows.map(({ principal }) => principal)}
        change={(principal) => narrow({ principal })}
      />
      <Words
        label={t('audit.action')}
        placeholder={t('audit.anyAction')}
        chosen={search.action}
        seen={rows.map(({ action }) => action)}
        change={(action) => narrow({ action })}
      />
      <Words
        label={t('filter.kind')}
        placeholder={t('filter.anyKind')}
        chosen={search.kind}
        seen={rows.map(({ kind, resource }) => kind ?? resource)}
        change={(kind) => narrow({ kind })}
      />
      <Words
        label={t('filter.namespace')}
        placeholder={t('filter.anyNamespace')}
        chosen={search.namespace}
        seen={rows.map(({ namespace }) => namespace)}
        change={(namespace) => narrow({ namespace })}
      />
      <Select<AuditOutcome[]>
        className="filter-words"
        mode="multiple"
        allowClear
        maxTagCount="responsive"
        aria-label={t('audit.outcome')}
        placeholder={t('audit.anyOutcome')}
        value={search.outcome ?? []}
        options={OUTCOMES.map((value) => ({ value, label: t(`outcome.${value}`) }))}
        onChange={(outcome) => narrow({ outcome: outcome.length > 0 ? outcome : undefined })}
      />
      <Since since={search.since} change={(since) => narrow({ since })} />
      {isNarrowed(search) && (
        <Button
          type="text"
          onClick={() => narrow(Object.fromEntries(NARROWING.map((key) => [key, undefined])))}
        >
          {t('filter.clear')}
        </Button>
      )}
    </search>
  );
}

interface WordsProps {
  label: string;
  placeholder: string;
  chosen?: string[];
  /** What the rows on the page have: offered, but others can be written too. */
  seen: (string | null)[];
  change: (words: string[] | undefined) => void;
}

function Words({ label, placeholder, chosen, seen, change }: WordsProps) {
  const known = [...new Set([...seen, ...(chosen ?? [])])].filter((word) => word !== null).sort();
  return (
    <Select
      className="filter-words"
      mode="tags"
      allowClear
      maxTagCount="responsive"
      popupMatchSelectWidth={false}
      tokenSeparators={[',', ' ']}
      aria-label={label}
      placeholder={placeholder}
      value={chosen ?? []}
      options={known.map((value) => ({ value, label: value }))}
      onChange={(words) => change(words.length > 0 ? words : undefined)}
    />
  );
}

function Since({ since, change }: { since?: string; change: (since: string | undefined) => void }) {
  const { t } = useTranslation();
  const options = useMemo(
    () => Object.keys(SPANS).map((span) => ({ value: span, label: t(`audit.span.${span as Span}`) })),
    [t],
  );
  return (
    <Select
      className="filter-since"
      allowClear
      popupMatchSelectWidth={false}
      aria-label={t('audit.since')}
      placeholder={t('audit.anySince')}
      value={
        since
          ? { value: since, label: t('audit.sinceMoment', { moment: new Date(since).toLocaleString() }) }
          : undefined
      }
      labelInValue
      options={options}
      onChange={(chosen: { value: string; label: string } | undefined) =>
        change(chosen ? sinceOf(chosen.value as Span, Date.now()) : undefined)
      }
    />
  );
}
