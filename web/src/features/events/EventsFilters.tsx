import { useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { EventRow } from '../../app/events/event';
import { useFleet } from '../../app/fleet';
import { SinceFilter } from '../../ui/SinceFilter';
import { ChoiceFilter, WordsFilter } from '../../ui/WordsFilter';
import type { EventsSearch, Span } from './search';
import { isNarrowed, NARROWING, sinceOf, SPANS, TYPES } from './search';

interface FiltersProps {
  search: EventsSearch;
  rows: readonly EventRow[];
}

/** What the events are narrowed to. All of it lives in the address. */
export function EventsFilters({ search, rows }: FiltersProps) {
  const { t } = useTranslation();
  const { instances } = useFleet();
  const navigate = useNavigate({ from: '/events' });
  const narrow = (change: Partial<EventsSearch>) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...change, after: undefined }),
      replace: true,
    });
  const clusters = instances?.find(({ name }) => name === search.instance)?.clusters?.nodes ?? [];
  return (
    <search className="filters">
      <ChoiceFilter
        label={t('events.type')}
        placeholder={t('eventsPage.anyType')}
        chosen={search.type}
        options={TYPES.map((value) => ({ value, label: t(`events.types.${value}`) }))}
        change={(type) => narrow({ type })}
      />
      <WordsFilter
        label={t('events.reason')}
        placeholder={t('eventsPage.anyReason')}
        chosen={search.reason}
        seen={rows.map(({ reason }) => reason)}
        change={(reason) => narrow({ reason })}
      />
      <WordsFilter
        label={t('filter.kind')}
        placeholder={t('filter.anyKind')}
        chosen={search.kind}
        seen={rows.map(({ regarding }) => regarding.kind)}
        change={(kind) => narrow({ kind })}
      />
      <WordsFilter
        label={t('filter.namespace')}
        placeholder={t('filter.anyNamespace')}
        chosen={search.namespace}
        seen={rows.map(({ namespace }) => namespace)}
        change={(namespace) => narrow({ namespace })}
      />
      {search.instance && (
        <ChoiceFilter
          label={t('eventsPage.clusters')}
          placeholder={t('eventsPage.controlPlane')}
          chosen={search.member}
          options={clusters.map(({ name }) => ({ value: name, label: name }))}
          change={(member) => narrow({ member })}
        />
      )}
      <SinceFilter
        since={search.since}
        label={t('eventsPage.since')}
        placeholder={t('eventsPage.anySince')}
        options={Object.keys(SPANS).map((span) => ({
          value: span as Span,
          label: t(`eventsPage.span.${span as Span}`),
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
