import { Input } from 'antd';
import type { InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isTyping } from './isTyping';
import { isPartOfName, LONGEST_NAME } from './typed';

/** Typing pauses for this long before the list is asked anew. */
const TYPING_MS = 300;

interface NameFilterProps {
  name?: string;
  change: (name: string | undefined) => void;
}

/** What a name has to contain. `/` leads here from anywhere on the page. */
export function NameFilter({ name, change }: NameFilterProps) {
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
    const wanted = typed || undefined;
    if (wanted === name || !isPartOfName(typed)) return;
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

  const invalid = !isPartOfName(typed);
  return (
    <span className="filter-field">
      <Input
        ref={input}
        className="filter-name"
        allowClear
        aria-label={t('filter.name')}
        aria-invalid={invalid}
        aria-describedby={invalid ? 'filter-name-problem' : undefined}
        status={invalid ? 'error' : undefined}
        placeholder={t('filter.namePlaceholder')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {invalid && (
        <span id="filter-name-problem" role="status" className="small wrong">
          {t('filter.notPart', { most: LONGEST_NAME })}
        </span>
      )}
    </span>
  );
}
