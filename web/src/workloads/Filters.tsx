import { useNavigate } from '@tanstack/react-router';
import { Button, Input, Select } from 'antd';
import type { InputRef } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KINDS } from './kinds';
import type { Row } from './page';
import type { WorkloadsSearch } from './search';

/** Typing pauses for this long before the list is asked anew. */
const TYPING_MS = 300;

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
        aria-label={t('workloads.kind')}
        placeholder={t('workloads.anyKind')}
        value={search.kind ?? []}
        options={KINDS.map(({ path, kind }) => ({ value: path, label: kind }))}
        onChange={(kind) => narrow({ kind: kind.length > 0 ? kind : undefined })}
      />
      <Select
        className="filter-namespaces"
        mode="tags"
        allowClear
        maxTagCount="responsive"
        tokenSeparators={[',', ' ']}
        aria-label={t('workloads.namespace')}
        placeholder={t('workloads.anyNamespace')}
        value={search.namespace ?? []}
        options={namespaces.map((value) => ({ value, label: value }))}
        onChange={(namespace) => narrow({ namespace: namespace.length > 0 ? namespace : undefined })}
      />
      {(search.kind ?? search.namespace ?? search.name) && (
        <Button
          type="text"
          onClick={() => narrow({ kind: undefined, namespace: undefined, name: undefined })}
        >
          {t('workloads.clear')}
        </Button>
      )}
    </search>
  );
}

function NameFilter({ name, change }: { name?: string; change: (name: string | undefined) => void }) {
  const { t } = useTranslation();
  const input = useRef<InputRef>(null);
  const [typed, setTyped] = useState(name ?? '');
  const [shown, setShown] = useState(name);
  if (shown !== name) {
    // The address changed by other means than this field: a link, the back button, "clear".
    setShown(name);
    setTyped(name ?? '');
  }

  useEffect(() => {
    const wanted = typed.trim() || undefined;
    if (wanted === name) return;
    const timer = setTimeout(() => change(wanted), TYPING_MS);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only typing starts the wait
  }, [typed]);

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);

  return (
    <Input
      ref={input}
      className="filter-name"
      allowClear
      maxLength={253}
      aria-label={t('workloads.nameFilter')}
      placeholder={t('workloads.namePlaceholder')}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}
