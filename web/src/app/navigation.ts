import { useRouter } from '@tanstack/react-router';
import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import { GraphiQLIcon } from './icons';
import type { Permission } from './permission';
import { usePermission } from './permission';

export interface Entry {
  path: string;
  label: ParseKeys;
  Icon: ComponentType;
  /** The letter that leads there after `g`. */
  key?: string;
  permission?: Permission;
  /** It is a document of its own, which the browser loads. */
  document?: boolean;
}

const GRAPHIQL: Entry = {
  path: '/graphiql',
  label: 'app.graphiql',
  Icon: GraphiQLIcon,
  key: 'q',
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

/** Those of them that the viewer may go to. */
export function useAllowedNavigation(): Entry[] {
  const { allowed: readAudit } = usePermission('readAudit');
  const { allowed: readSchema } = usePermission('readSchema');
  const may: Record<string, boolean | null> = { readAudit, readSchema };
  return useNavigation().filter(
    ({ permission }) => permission === undefined || (typeof permission === 'string' && may[permission]),
  );
}
