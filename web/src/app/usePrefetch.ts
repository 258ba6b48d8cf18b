import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useFleet } from './fleet';

/**
 * Fetches the code of every page once the first one has its data: then a page that was not visited yet opens while
 * Kairship is away for a moment, and what is missing is said by the page and not by the browser.
 */
export function usePrefetch(): void {
  const router = useRouter();
  const begun = useFleet().instances !== null;
  useEffect(() => {
    if (!begun) return;
    for (const route of Object.values(router.routesById)) {
      router.loadRouteChunk(route)?.catch(() => {});
    }
  }, [router, begun]);
}
