import { useEffect, useRef } from 'react';

/**
 * Reads again when what is followed says that what was read is not so any more. `was`: the same of what was read, so
 * that nothing is missed that happened before the feed began; null where that cannot be compared, or is not known yet.
 */
export function useReread(told: string | null, was: string | null, read: () => void): void {
  const before = useRef<string>(null);
  useEffect(() => {
    if (told === null) return;
    const known = before.current ?? was;
    before.current = told;
    if (known !== null && known !== told) read();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what was told decides, not how it is read
  }, [told]);
}
