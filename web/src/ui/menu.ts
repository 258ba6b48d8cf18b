/** Which item of a menu a key leads to; null for a key that means nothing there. `at` is -1 outside of the items. */
export function itemAfter(key: string, at: number, labels: readonly string[]): number | null {
  const last = labels.length - 1;
  if (last < 0) return null;
  switch (key) {
    case 'ArrowDown':
      return at >= last ? 0 : at + 1;
    case 'ArrowUp':
      return at <= 0 ? last : at - 1;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return key.length === 1 && key.trim() !== '' ? beginningWith(key.toLowerCase(), at, labels) : null;
  }
}

/** The next label that begins with a letter, from the first on after the last. */
function beginningWith(letter: string, at: number, labels: readonly string[]): number | null {
  for (let step = 1; step <= labels.length; step += 1) {
    const index = (at + step) % labels.length;
    if (labels[index]?.toLowerCase().startsWith(letter)) return index;
  }
  return null;
}
