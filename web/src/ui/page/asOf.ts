import { useState } from 'react';

/** When a page of a list was read, of which nothing tells what comes and goes. */
export interface AsOf {
  /** Milliseconds since 1970. */
  at: number;
  /** What came or went since is known of. */
  outdated: boolean;
}

interface Read {
  loading: boolean;
  at?: number;
  known?: unknown;
}

/** Notes when something was read, and what the rest of the page knew then: another `known` outdates it. */
export function useAsOf(loading: boolean, known?: unknown): AsOf | undefined {
  const [read, setRead] = useState<Read>({ loading: true });
  // Reading has begun, or has ended.
  if (read.loading !== loading) setRead(loading ? { ...read, loading } : noted(known));
  if (read.at === undefined) return undefined;
  return { at: read.at, outdated: !read.loading && read.known !== known };
}

function noted(known: unknown): Read {
  return { loading: false, at: Date.now(), known };
}
