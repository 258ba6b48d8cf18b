import { useEffect, useRef } from 'react';

/** Reads again when something that is followed says that what was read is not so any more. Null: not known yet. */
export function useReread(told: string | null, read: () => void): void {
  const before = useRef<string>(null);
  useEffect(() => {
    const known = before.current;
    before.current = told ?? known;
    if (known !== null && told !== null && known !== told) read();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what was told decides, not how it is read
  }, [told]);
}
