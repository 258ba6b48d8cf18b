// The bearer token of this tab: kept for the tab's life, never written to disk or to a cookie.

const KEY = 'kairship.token';

export type SignedOutReason = 'left' | 'refused';

type Listener = (reason: SignedOutReason | null) => void;

const listeners = new Set<Listener>();

export function currentToken(): string | null {
  return sessionStorage.getItem(KEY);
}

export function signIn(token: string): void {
  sessionStorage.setItem(KEY, token);
  announce(null);
}

export function signOut(reason: SignedOutReason): void {
  if (currentToken() === null) return;
  sessionStorage.removeItem(KEY);
  announce(reason);
}

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** People paste what they have: a whole header, quotes, a trailing newline. */
export function cleanToken(pasted: string): string {
  return pasted
    .trim()
    .replace(/^authorization:\s*/i, '')
    .replace(/^bearer\s+/i, '')
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/\s+/g, '');
}

function announce(reason: SignedOutReason | null): void {
  for (const listener of [...listeners]) listener(reason);
}
