import type { CombinedError, Exchange } from '@urql/core';
import { mapExchange } from '@urql/core';

/**
 * Errors travel beside the cache, not through it.
 *
 * The contract says that a null beside an error is an answer: one part failed, the rest holds. The
 * normalised cache would take such a null for something never asked, and ask for the whole page again
 * whenever anything near it changed. So the inner exchange hides the error from the cache, which keeps
 * the null, and the outer one puts it back on every result of that operation until a newer answer comes.
 */
export function errorsAside(): { outer: Exchange; inner: Exchange } {
  const known = new Map<number, CombinedError>();
  return {
    outer: mapExchange({
      onOperation(operation) {
        if (operation.kind === 'teardown') known.delete(operation.key);
      },
      onResult(result) {
        const error = known.get(result.operation.key) ?? result.error;
        if (result.operation.kind !== 'query') known.delete(result.operation.key);
        return error === result.error ? result : { ...result, error };
      },
    }),
    inner: mapExchange({
      onResult(result) {
        const { key } = result.operation;
        if (result.error) known.set(key, result.error);
        else known.delete(key);
        return result.error && result.data ? { ...result, error: undefined } : result;
      },
    }),
  };
}
