// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { checkToken } from './check';
import { cleanToken, currentToken, onSessionChange, signIn, signOut } from './session';

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

describe('the session', () => {
  beforeEach(() => sessionStorage.clear());

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
    signOut('refused');
    signOut('refused');
    stop();
    expect(heard.mock.calls).toEqual([['refused']]);
    expect(currentToken()).toBeNull();
  });
});

describe('checkToken', () => {
  const answer = (status: number, body: unknown) => () =>
    Promise.resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }));
  const viewer = (roles: unknown[]) => ({ data: { viewer: { name: 'a', groups: [], roles } } });

  const cases: [string, number, unknown, Awaited<ReturnType<typeof checkToken>>][] = [
    [
      'accepts a viewer with a role',
      200,
      viewer([{ name: 'Owner', instance: null }]),
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
