import { CombinedError } from '@urql/core';
import { describe, expect, it } from 'vitest';
import { problemsOf } from './problems';

describe('problemsOf', () => {
  it('has none without an error', () => {
    expect(problemsOf(undefined)).toEqual([]);
  });

  it('tells what failed and whether trying again may help', () => {
    const error = new CombinedError({
      graphQLErrors: [
        {
          message: 'instance "europe": its API server does not answer',
          extensions: { code: 'UNAVAILABLE', instance: 'europe', retryable: true },
        },
      ],
    });
    expect(problemsOf(error)).toEqual([
      {
        code: 'UNAVAILABLE',
        message: 'instance "europe": its API server does not answer',
        instance: 'europe',
        cluster: undefined,
        retryable: true,
      },
    ]);
  });

  it('tells one outage once, however many fields it failed', () => {
    const failed = { message: 'europe is down', extensions: { code: 'UNAVAILABLE', instance: 'europe' } };
    expect(problemsOf(new CombinedError({ graphQLErrors: [failed, failed, failed] }))).toHaveLength(1);
  });

  it('takes a code it does not know for INTERNAL', () => {
    const error = new CombinedError({ graphQLErrors: [{ message: 'odd', extensions: { code: 'NEW' } }] });
    expect(problemsOf(error)[0]?.code).toBe('INTERNAL');
  });

  it('knows a page that the server has no documents of', () => {
    const extensions = { code: 'FORBIDDEN', rule: 'trustedDocuments' };
    const error = new CombinedError({ graphQLErrors: [{ message: 'no', extensions }] });
    expect(problemsOf(error)[0]?.code).toBe('OUTDATED');
  });

  const statuses: [number, string][] = [
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
    [502, 'NETWORK'],
  ];
  it.each(statuses)('reads a bare HTTP %i as %s', (status, code) => {
    const error = new CombinedError({ networkError: new Error('no'), response: { status } });
    expect(problemsOf(error)[0]?.code).toBe(code);
  });
});
