import { useRouter } from '@tanstack/react-router';
import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import { GraphiQLIcon } from './icons';
import type { Permission } from './permission';

export interface Entry {
  path: string;
  label: ParseKeys;
  Icon: ComponentType;
  permission?: Permission;
  /** It is a document of its own, which the browser loads. */
  document?: boolean;
}

const GRAPHIQL: Entry = {
  path: '/graphiql',
  label: 'app.graphiql',
  Icon: GraphiQLIcon,
  permission: 'readSchema',
  document: true,
};

/** Where one can go, in the order of the registry (pages.ts). */
export function useNavigation(): Entry[] {
  const { routesById } = useRouter();
  const pages = Object.values(routesById).flatMap((route): Entry[] => {
    const page = route.options.staticData?.page;
    return page?.navigation
      ? [{ path: route.fullPath, permission: page.permission, ...page.navigation }]
      : [];
  });
  return [...pages, GRAPHIQL];
}
