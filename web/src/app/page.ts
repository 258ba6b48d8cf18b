// What a route says of its page. Navigation, headings and the window's title are made from this, so that
// a page is told once.

import { useRouterState } from '@tanstack/react-router';
import type { ParseKeys, TFunction } from 'i18next';
import type { ComponentType } from 'react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Permission } from './permission';

type Params = Readonly<Record<string, string>>;

export interface Page {
  /** What it is called: in its heading and in the window's title. A page about one thing is called as that is. */
  title: ParseKeys | ((params: Params) => string);
  /** Its place in the navigation; none where other pages lead to it. */
  navigation?: {
    label: ParseKeys;
    Icon: ComponentType;
    /** The letter that leads there after `g`. */
    key?: string;
  };
  /** Without it the page is not offered. The server decides all the same. */
  permission?: Permission;
  /** Whether the instance switch narrows it, by `?instance=`. */
  byInstance?: boolean;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: Page;
  }
}

/** The page that is shown; undefined where the address leads to none. */
export function usePage(): Page | undefined {
  return useRouterState({ select: ({ matches }) => matches.at(-1)?.staticData.page });
}

/** What the page that is shown is called. */
export function usePageTitle(): string {
  const { t } = useTranslation();
  return useRouterState({ select: ({ matches }) => titleOf(matches.at(-1), t) });
}

/** Names the window after the page that is shown. */
export function useWindowTitle(): void {
  const title = usePageTitle();
  const page = usePage();
  const instance = useRouterState({
    select: ({ matches }) => (matches.at(-1)?.search as { instance?: string } | undefined)?.instance,
  });
  useEffect(() => {
    if (!title) return;
    document.title = [page?.byInstance && instance, title, 'Kairship'].filter(Boolean).join(' · ');
  }, [title, page, instance]);
}

interface Match {
  staticData: { page?: Page };
  params: object;
}

function titleOf(match: Match | undefined, t: TFunction): string {
  const title = match?.staticData.page?.title;
  if (!match || !title) return '';
  return typeof title === 'function' ? title(match.params as Params) : t(title);
}
