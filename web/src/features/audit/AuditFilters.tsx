import { useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { NameFilter } from '../../ui/NameFilter';
import { SinceFilter } from '../../ui/SinceFilter';
import { ChoiceFilter, WordsFilter } from '../../ui/WordsFilter';
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
      <WordsFilter
        label={t('audit.principal')}
        placeholder={t('audit.anyPrincipal')}
        chosen={search.principal}
        seen={rows.map(({ principal }) => principal)}
        change={(principal) => narrow({ principal })}
      />
      <WordsFilter
        label={t('audit.action')}
        placeholder={t('audit.anyAction')}
        chosen={search.action}
        seen={rows.map(({ action }) => action)}
        change={(action) => narrow({ action })}
      />
      <WordsFilter
        label={t('filter.kind')}
        placeholder={t('filter.anyKind')}
        chosen={search.kind}
        seen={rows.map(({ kind, resource }) => kind ?? resource)}
        change={(kind) => narrow({ kind })}
      />
      <WordsFilter
        label={t('filter.namespace')}
        placeholder={t('filter.anyNamespace')}
        chosen={search.namespace}
        seen={rows.map(({ namespace }) => namespace)}
        change={(namespace) => narrow({ namespace })}
      />
      <ChoiceFilter
        label={t('audit.outcome')}
        placeholder={t('audit.anyOutcome')}
        chosen={search.outcome}
        options={OUTCOMES.map((value) => ({ value, label: t(`outcome.${value}`) }))}
        change={(outcome) => narrow({ outcome })}
      />
      <SinceFilter
        since={search.since}
        label={t('audit.since')}
        placeholder={t('audit.anySince')}
        options={Object.keys(SPANS).map((span) => ({
          value: span as Span,
          label: t(`audit.span.${span as Span}`),
        }))}
        change={(span) => narrow({ since: span && sinceOf(span, Date.now()) })}
      />
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
