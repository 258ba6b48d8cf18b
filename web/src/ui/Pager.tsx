import { useRouterState } from '@tanstack/react-router';
import { Button, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PageSize } from '../app/search';
import { PAGE_SIZES } from '../app/search';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Cursors of the pages before this one, so that one can go back without the browser's history. */
    trail?: (string | null)[];
  }
}

interface PagerProps {
  /** Rows on this page. */
  shown: number;
  keys: string;
  size?: PageSize;
  after?: string;
  endCursor: string | null;
  hasNext: boolean;
  /** The list begins with the newest: what follows is older. */
  byTime?: boolean;
  /** Goes to the page after a cursor, by the pages before it. */
  go: (after: string | undefined, trail: (string | null)[]) => void;
  resize: (size: PageSize | undefined) => void;
}

/** From page to page of a list that is read by cursors. */
export function Pager({ shown, keys, size, after, endCursor, hasNext, byTime, go, resize }: PagerProps) {
  const { t } = useTranslation();
  const trail = useRouterState({ select: (state) => state.location.state.trail });
  const last = trail?.at(-1);
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      <span className="muted">{t('pager.showing', { count: shown })}</span>
      <span className="pager-keys muted small">{keys}</span>
      <span className="pager-gap" />
      <Select<PageSize>
        aria-label={t('pager.size')}
        value={size ?? PAGE_SIZES[0]}
        options={PAGE_SIZES.map((size) => ({ value: size, label: String(size) }))}
        onChange={(size) => resize(size === PAGE_SIZES[0] ? undefined : size)}
      />
      <Button disabled={!after} onClick={() => go(undefined, [])}>
        {t(byTime ? 'pager.newest' : 'pager.first')}
      </Button>
      <Button disabled={last === undefined} onClick={() => go(last ?? undefined, (trail ?? []).slice(0, -1))}>
        {t(byTime ? 'pager.newer' : 'pager.previous')}
      </Button>
      <Button
        disabled={!hasNext || !endCursor}
        onClick={() => go(endCursor ?? undefined, [...(trail ?? []), after ?? null])}
      >
        {t(byTime ? 'pager.older' : 'pager.next')}
      </Button>
    </nav>
  );
}
