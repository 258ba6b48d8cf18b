// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkToken, confirmSession } from './check';
import {
  cleanToken,
  currentToken,
  isSignedIn,
  onSessionChange,
  refused,
  signIn,
  signInURL,
  signOut,
  standing,
} from './session';

describe('cleanToken', () => {
  it.each([
    ['abc.def', 'abc.def'],
    ['  abc.def\n', 'abc.def'],
    ['Bearer abc.def', 'abc.def'],
    ['Authorization: Bearer abc.def', 'abc.def'],
    ['"abc.def"', 'abc.def'],
    ['abc.\ndef', 'abc.def'],
    ['   ', ''],
  ])('takes the token out of %j', (pasted, want) => {
    expect(cleanToken(pasted)).toBe(want);
  });
});

/** A server: what it answers to each path, and what it was asked. */
function serve(answers: Record<string, () => Response>) {
  const asked: [string, RequestInit | undefined][] = [];
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    asked.push([path, init]);
    return Promise.resolve(answers[path]?.() ?? new Response('not found', { status: 404 }));
  });
  return asked;
}

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const OIDC = { kind: 'oidc', name: 'Playground', url: '/auth/sign-in' };
const BEARER = { kind: 'bearer', name: 'Bearer token' };

describe('the session', () => {
  beforeEach(() => {
    signIn('none');
    refused();
    sessionStorage.clear();
  });
  afterEach(() => vi.unstubAllGlobals());

  it('lives in this tab only', () => {
    signIn('t');
    expect(currentToken()).toBe('t');
    expect(localStorage.length).toBe(0);
    expect(document.cookie).toBe('');
  });

  it('says once that it ended, however many requests were refused', () => {
    signIn('t');
    const heard = vi.fn();
    const stop = onSessionChange(heard);
    refused();
    refused();
    stop();
    expect(heard.mock.calls).toEqual([['refused']]);
    expect(currentToken()).toBeNull();
  });

  it('of the browser is enough, and needs no token', async () => {
    const asked = serve({ '/auth/session': () => json({ signedIn: true, ways: [OIDC, BEARER] }) });
    expect(await isSignedIn()).toBe(true);
    expect(await isSignedIn()).toBe(true);
    expect(asked).toHaveLength(1);
    expect(sessionStorage.length).toBe(0);

    const heard = vi.fn();
    const stop = onSessionChange(heard);
    refused();
    refused();
    stop();
    expect(heard.mock.calls).toEqual([['refused']]);
  });

  it('is not there on a server where nobody can sign in, which answers with its pages', async () => {
    serve({
      '/auth/session': () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
    });
    expect(await isSignedIn()).toBe(false);
    expect(await standing()).toEqual({ signedIn: false, principal: '', reason: '', provider: null });
  });

  it('says why it is over, and where to begin another', async () => {
    serve({
      '/auth/session': () => json({ signedIn: false, reason: 'it has expired', ways: [OIDC, BEARER] }),
    });
    expect(await standing()).toEqual({
      signedIn: false,
      principal: '',
      reason: 'it has expired',
      provider: { name: 'Playground', url: '/auth/sign-in' },
    });
    expect(signInURL('/auth/sign-in', '/audit?principal=kairship:oidc:ada&kind=Pod')).toBe(
      '/auth/sign-in?return_to=%2Faudit%3Fprincipal%3Dkairship%3Aoidc%3Aada%26kind%3DPod',
    );
  });

  it('is asked about again after the server failed', async () => {
    let up = false;
    serve({
      '/auth/session': () =>
        up ? json({ signedIn: true, ways: [BEARER] }) : json({ message: 'no keys' }, 503),
    });
    expect(await standing()).toEqual({ signedIn: false, principal: '', reason: 'no keys', provider: null });
    up = true;
    expect(await isSignedIn()).toBe(true);
  });

  it('is ended at the server, with the header that shows whose page asks', async () => {
    const asked = serve({
      '/auth/session': () => json({ signedIn: true, ways: [OIDC, BEARER] }),
      '/auth/sign-out': () => json({}),
    });
    await standing();
    const heard = vi.fn();
    const stop = onSessionChange(heard);
    await signOut();
    stop();
    expect(heard.mock.calls).toEqual([['left']]);
    const [path, init] = asked.at(-1) ?? [];
    expect(path).toBe('/auth/sign-out');
    expect(init?.method).toBe('POST');
    expect(new Headers(init?.headers).get('x-kairship-csrf')).toBe('1');
  });

  it('goes on when the server cannot end it', async () => {
    serve({
      '/auth/session': () => json({ signedIn: true, ways: [OIDC, BEARER] }),
      '/auth/sign-out': () => json({ message: 'you are still signed in' }, 503),
    });
    await standing();
    const heard = vi.fn();
    const stop = onSessionChange(heard);
    await expect(signOut()).rejects.toThrow('you are still signed in');
    stop();
    expect(heard).not.toHaveBeenCalled();
    expect(await isSignedIn()).toBe(true);
  });
});

describe('checkToken', () => {
  const answer = (status: number, body: unknown) => () =>
    Promise.resolve(typeof body === 'string' ? new Response(body, { status }) : json(body, status));
  const viewer = (roles: unknown[]) => ({ data: { viewer: { name: 'a', groups: [], roles } } });

  const cases: [string, number, unknown, Awaited<ReturnType<typeof checkToken>>][] = [
    [
      'accepts a viewer with a role',
      200,
      viewer([{ name: 'Owner', instance: null, namespaces: [] }]),
      { outcome: 'accepted' },
    ],
    ['tells a viewer without a role so', 200, viewer([]), { outcome: 'forbidden' }],
    [
      'refuses by code',
      200,
      { errors: [{ message: 'no', extensions: { code: 'UNAUTHENTICATED' } }] },
      { outcome: 'refused' },
    ],
    ['refuses by status', 401, 'no', { outcome: 'refused' }],
    [
      'tells a forbidden viewer so',
      200,
      { errors: [{ message: 'no', extensions: { code: 'FORBIDDEN' } }] },
      { outcome: 'forbidden' },
    ],
    [
      'tells an error in the server’s words',
      200,
      { errors: [{ message: 'it broke' }] },
      { outcome: 'failed', message: 'it broke' },
    ],
    ['tells an answer that is no GraphQL', 502, '<html>', { outcome: 'failed', message: 'HTTP 502' }],
  ];
  it.each(cases)('%s', async (_, status, body, want) => {
    expect(await checkToken('t', answer(status, body))).toEqual(want);
  });

  it('says when nobody answers', async () => {
    const ask = () => Promise.reject(new TypeError('connection refused'));
    expect(await checkToken('t', ask)).toEqual({ outcome: 'unreachable', message: 'connection refused' });
  });
});

describe('confirmSession', () => {
  const refusal = (code: string) => () =>
    Promise.resolve(json({ errors: [{ message: 'no', extensions: { code } }] }, 200));

  it.each([
    ['UNAUTHENTICATED', null],
    ['FORBIDDEN', 't'],
    ['UNAVAILABLE', 't'],
  ])('after %s the tab speaks for %s', async (code, want) => {
    signIn('t');
    await confirmSession(refusal(code));
    expect(currentToken()).toBe(want);
  });
});
