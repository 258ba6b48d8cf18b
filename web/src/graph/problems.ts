import type { CombinedError } from '@urql/core';
import type { GraphQLError } from 'graphql';

/** Codes of the error contract; anything else is shown as INTERNAL. */
const CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'UNAVAILABLE',
  'STALE',
  'TIMEOUT',
  'LIMIT_EXCEEDED',
  'NOT_SYNCED',
  'INTERNAL',
] as const;

export type ProblemCode = (typeof CODES)[number] | 'NETWORK' | 'OUTDATED';

/** One thing that went wrong, in the shape the pages show. */
export interface Problem {
  code: ProblemCode;
  message: string;
  instance?: string;
  cluster?: string;
  retryable: boolean;
}

type ErrorLike = Pick<GraphQLError, 'message'> & { extensions?: Record<string, unknown> };

export function problemOf(error: ErrorLike): Problem {
  const extensions = error.extensions ?? {};
  // A server that runs only what it knows is of another build than this page.
  const code =
    extensions.rule === 'trustedDocuments'
      ? 'OUTDATED'
      : (CODES.find((known) => known === extensions.code) ?? 'INTERNAL');
  return {
    code,
    message: error.message,
    instance: text(extensions.instance),
    cluster: text(extensions.cluster),
    retryable: extensions.retryable === true,
  };
}

/** Problems of a response, each told once: a failed upstream often fails several fields. */
export function problemsOf(error: CombinedError | undefined): Problem[] {
  if (!error) return [];
  if (error.networkError) {
    const status = (error.response as Response | undefined)?.status;
    if (status === 401) return [{ code: 'UNAUTHENTICATED', message: '', retryable: false }];
    if (status === 403) return [{ code: 'FORBIDDEN', message: '', retryable: false }];
    return [{ code: 'NETWORK', message: error.networkError.message, retryable: true }];
  }
  const told = new Map<string, Problem>();
  for (const problem of error.graphQLErrors.map(problemOf)) {
    told.set([problem.code, problem.instance, problem.cluster, problem.message].join('\u0000'), problem);
  }
  return [...told.values()];
}

export function isRefusal(problems: readonly Problem[], code: ProblemCode): boolean {
  return problems.some((problem) => problem.code === code);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
