import type { TypedDocumentNode } from '@urql/core';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import type { Refusal } from './refusals';
import { refusalsOf, refusalText } from './refusals';
import { useToast } from './toast';

/** What every mutation answers: what speaks against it, or nothing. */
export interface Payload {
  userErrors: readonly Refusal[];
}

/** A mutation that people start, and what they are told of it. */
export interface Action<Data, Input, Result extends Payload> {
  document: TypedDocumentNode<Data, { input: Input }>;
  /** The payload in the mutation's answer. */
  payload: (data: Data) => Result | null | undefined;
  /** What is told when it is done; nothing where its caller shows it. */
  done?: (result: Result, input: Input) => string;
  /** What is told when it is not, above the reasons. */
  failed: string;
  /** The input that takes it back; none when nothing changed. */
  undo?: (result: Result, input: Input) => Input | undefined;
}

export type Outcome<Result> = { done: true; result: Result } | { done: false; refusals: Refusal[] };

/**
 * Runs a mutation: the only way to. A toast tells what became of it; who shows refusals beside the fields
 * that are to blame, takes them from the outcome and says so by `showsRefusals`.
 */
export function useAction<Data, Input, Result extends Payload>(
  action: Action<Data, Input, Result>,
  { showsRefusals = false } = {},
) {
  const { t } = useTranslation();
  const toast = useToast();
  const [{ fetching }, execute] = useMutation(action.document);

  const perform = async (input: Input): Promise<Outcome<Result>> => {
    const { data, error } = await execute({ input });
    const result = data ? action.payload(data) : null;
    const refusals = refusalsOf(result?.userErrors, error, t);
    if (result && refusals.length === 0) return { done: true, result };
    // An answer that says nothing is a fault of the server's.
    return { done: false, refusals: refusals.length > 0 ? refusals : [{ message: t('problem.INTERNAL') }] };
  };

  const tellFailure = (refusals: readonly Refusal[]) =>
    toast({ failed: true, title: action.failed, reasons: refusals.map(refusalText) });

  const takeBack = async (input: Input) => {
    const outcome = await perform(input);
    if (!outcome.done) tellFailure(outcome.refusals);
    else if (action.done) toast({ title: action.done(outcome.result, input) });
  };

  const run = async (input: Input): Promise<Outcome<Result>> => {
    const outcome = await perform(input);
    if (!outcome.done) {
      if (!showsRefusals) tellFailure(outcome.refusals);
    } else if (action.done) {
      const back = action.undo?.(outcome.result, input);
      toast({
        title: action.done(outcome.result, input),
        button: back && { label: t('action.undo'), press: () => void takeBack(back) },
      });
    }
    return outcome;
  };

  /** Only tries an input, which says so itself: nothing was done that could be told. */
  const rehearse = perform;

  return { run, rehearse, pending: fetching };
}
