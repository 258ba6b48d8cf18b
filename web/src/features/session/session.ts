// Whom this tab speaks for: the bearer of a token, which is kept for the tab's life and never written to
// disk, or else whoever signed in with this browser, whose cookie no script can read.

const KEY = 'kairship.token';

export type SignedOutReason = 'left' | 'refused';

/** What the server says of the browser's session. */
export interface Standing {
  signedIn: boolean;
  /** Who, with their origin; empty when nobody is. */
  principal: string;
  /** Why a session that there was is none any more; empty when there was none. */
  reason: string;
  /** Where people sign in with their browser; null where they need a token. */
  provider: { name: string; url: string } | null;
}

interface StandingAnswer {
  signedIn: boolean;
  principal?: string;
  reason?: string;
  ways: { kind: string; name: string; url?: string }[];
}

const NOBODY: Standing = { signedIn: false, principal: '', reason: '', provider: null };

type Listener = (reason: SignedOutReason | null) => void;

const listeners = new Set<Listener>();
let known: Promise<Standing> | null = null;
/** Somebody is let in by the cookie; when that ends, it is told once. */
let byCookie = false;

export function currentToken(): string | null {
  return sessionStorage.getItem(KEY);
}

export async function isSignedIn(): Promise<boolean> {
  return currentToken() !== null || (await standing()).signedIn;
}

/** What the server says of the browser's session: asked once, and again when it was lost. */
export function standing(): Promise<Standing> {
  known ??= askStanding().then((answer) => {
    byCookie = answer.signedIn;
    return answer;
  });
  return known;
}

async function askStanding(): Promise<Standing> {
  try {
    const response = await fetch('/auth/session', { headers: { accept: 'application/json' } });
    // A server where nobody can sign in answers with its pages, or not at all.
    if (!response.headers.get('content-type')?.includes('json')) return NOBODY;
    if (!response.ok) throw new Error(await messageOf(response));
    const { signedIn, principal, reason, ways } = (await response.json()) as StandingAnswer;
    const provider = ways.find(({ kind, url }) => kind === 'oidc' && url);
    return {
      signedIn,
      principal: principal ?? '',
      reason: reason ?? '',
      provider: provider?.url ? { name: provider.name, url: provider.url } : null,
    };
  } catch (error) {
    known = null;
    return { ...NOBODY, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The address at which a provider's sign-in begins, and which leads back to `to`. */
export function signInURL(url: string, to = '/'): string {
  return `${url}?${new URLSearchParams({ return_to: to }).toString()}`;
}

export function signIn(token: string): void {
  sessionStorage.setItem(KEY, token);
  announce(null);
}

/** The server does not accept the token or the session any more. */
export function refused(): void {
  if (currentToken() === null && !byCookie) return;
  forget();
  announce('refused');
}

/**
 * Ends what this tab and this browser may do here. The error says why a session could not be ended: its
 * person is still signed in.
 */
export async function signOut(): Promise<void> {
  const { signedIn } = await standing();
  const onwards = signedIn ? await endSession() : undefined;
  forget();
  if (onwards) location.assign(onwards);
  else announce('left');
}

/** Ends the browser's session. Its answer is where the provider's own session is ended; not all tell. */
async function endSession(): Promise<string | undefined> {
  const response = await fetch('/auth/sign-out', { method: 'POST', headers: { 'x-kairship-csrf': '1' } });
  if (!response.ok) throw new Error(await messageOf(response));
  return ((await response.json()) as { providerUrl?: string }).providerUrl;
}

async function messageOf(response: Response): Promise<string> {
  const said = (await response.json().catch(() => null)) as { message?: string } | null;
  return said?.message ?? `HTTP ${response.status}`;
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

function forget(): void {
  sessionStorage.removeItem(KEY);
  known = null;
  byCookie = false;
}

function announce(reason: SignedOutReason | null): void {
  for (const listener of [...listeners]) listener(reason);
}
