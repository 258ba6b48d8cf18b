import { useEffect, useRef } from 'react';

/**
 * Reads a list again of which no stream tells the rows, when a stream tells that something changed which they follow
 * from: `known` is what was told last, null before. While it is being read it is not asked for a second time; what was
 * told meanwhile is read afterwards.
 */
export function useToldAgain(known: unknown, reading: boolean, read: () => void): void {
  const seen = useRef<unknown>(null);
  const again = useRef(read);
  useEffect(() => {
    again.current = read;
  });
  useEffect(() => {
    if (known === null || known === undefined || reading || Object.is(seen.current, known)) return;
    const first = seen.current === null;
    seen.current = known;
    // What is told first was there when the list was read.
    if (!first) again.current();
  }, [known, reading]);
}
