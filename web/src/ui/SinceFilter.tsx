import { Select } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface SinceFilterProps<Span extends string> {
  /** The moment that was chosen. */
  since?: string;
  label: string;
  placeholder: string;
  options: readonly { value: Span; label: string }[];
  /** The span before now that was chosen; undefined for any time. */
  change: (span: Span | undefined) => void;
}

/** How far back a list goes: chosen as a span, kept as the moment that it was then. */
export function SinceFilter<Span extends string>({
  since,
  label,
  placeholder,
  options,
  change,
}: SinceFilterProps<Span>) {
  const { t } = useTranslation();
  return (
    <Select<{ value: string; label: ReactNode }>
      className="filter-since"
      allowClear
      popupMatchSelectWidth={false}
      aria-label={label}
      placeholder={placeholder}
      value={
        since
          ? { value: since, label: t('filter.since', { moment: new Date(since).toLocaleString() }) }
          : undefined
      }
      labelInValue
      options={[...options]}
      // Nothing is chosen where it was cleared.
      onChange={(chosen?: { value: string }) => change(chosen && (chosen.value as Span))}
    />
  );
}
