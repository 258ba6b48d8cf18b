import { useEffect, useRef } from 'react';
import { isTyping } from '../ui/isTyping';

const onApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** What opens the palette, as it is written on the keys. */
export const PALETTE_KEYS: readonly string[] = onApple ? ['⌘', 'K'] : ['Ctrl', 'K'];

/** A letter follows `g` within this long. */
const SEQUENCE_MS = 1_200;

export interface KeyActions {
  palette: () => void;
  keys: () => void;
  /** The letter that followed `g`. */
  go: (letter: string) => void;
}

/** Keys that do the same on every page. */
export function useKeys(actions: KeyActions): void {
  const current = useRef(actions);
  useEffect(() => {
    current.current = actions;
  });
  useEffect(() => {
    let begun = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      const meant = meantBy(event, event.timeStamp - begun < SEQUENCE_MS);
      begun = meant === 'begin' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (meant === null || meant === 'begin') return;
      event.preventDefault();
      if (meant === 'palette') current.current.palette();
      else if (meant === 'keys') current.current.keys();
      else current.current.go(event.key.toLowerCase());
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'target'>;

/** What a key press means; null for nothing here. */
export function meantBy(press: Press, afterG: boolean): 'palette' | 'keys' | 'begin' | 'go' | null {
  const { key, ctrlKey, metaKey, altKey, isComposing, target } = press;
  // Whoever is in a dialog finishes there first.
  if (altKey || isComposing || document.querySelector('dialog[open]')) return null;
  if (ctrlKey !== metaKey && key.toLowerCase() === 'k') {
    // A shell has its own use for Ctrl+K.
    return ctrlKey && target instanceof Element && target.closest('.xterm') ? null : 'palette';
  }
  if (ctrlKey || metaKey || isTyping(target)) return null;
  if (afterG && /^[a-z]$/i.test(key)) return 'go';
  if (key === '?') return 'keys';
  return key === 'g' ? 'begin' : null;
}
