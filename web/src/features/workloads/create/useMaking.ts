import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApplyManifestsDocument, CreateWorkloadDocument } from '../../../graph/generated/graphql';
import type { Refusal } from '../../../ui/action/refusals';
import { useAction } from '../../../ui/action/useAction';
import { beyondOf } from './manifest';
import type { Made } from './placement';
import { createInput, isPlain, manifestsOf } from './placement';
import type { Looked } from './Where';

/** Whether `createWorkload` can make it as it stands; otherwise its manifests are applied. */
export function isByForm({ kind, object, placement }: Made): boolean {
  return isPlain(placement) && beyondOf(kind, object).length === 0;
}

/** Tries what is to be made, and makes it once it was tried. */
export function useMaking(tell: (refusals: readonly Refusal[]) => void) {
  const { t } = useTranslation();
  const [looked, setLooked] = useState<Looked | null>(null);
  /** What was tried last, and would be taken. */
  const [accepted, setAccepted] = useState<Looked | null>(null);
  const latest = useRef('');
  const making = useAction(
    {
      document: CreateWorkloadDocument,
      payload: (data) => data.createWorkload,
      failed: t('compose.failed'),
    },
    { showsRefusals: true },
  );
  const applying = useAction(
    {
      document: ApplyManifestsDocument,
      payload: (data) => data.applyManifests,
      failed: t('compose.failed'),
    },
    { showsRefusals: true },
  );

  const look = async (made: Made) => {
    const asked = { instance: made.instance, manifests: manifestsOf(made) };
    latest.current = asked.manifests;
    setLooked(asked);
    setAccepted(null);
    const { input, wrong } = createInput(made);
    if (wrong.length > 0) {
      tell(wrong.map((field) => ({ field, message: t('compose.notAsTyped') })));
      return;
    }
    const outcome = await making.run({ ...input, dryRun: true });
    // Another one was asked about meanwhile.
    if (latest.current !== asked.manifests) return;
    tell(outcome.done ? [] : outcome.refusals);
    if (outcome.done) setAccepted(asked);
  };

  /** What was accepted before is not any more: it is looked at again first. */
  const notMade = (refusals: Parameters<typeof tell>[0]) => {
    setAccepted(null);
    tell(refusals);
  };

  const make = async (made: Made): Promise<boolean> => {
    if (isByForm(made)) {
      const outcome = await making.run(createInput(made).input);
      if (outcome.done) tell([]);
      else notMade(outcome.refusals);
      return outcome.done;
    }
    const outcome = await applying.run({
      instance: made.instance,
      manifests: manifestsOf(made),
      onError: 'STOP',
    });
    if (!outcome.done) {
      notMade(outcome.refusals);
      return false;
    }
    const failed = outcome.result.documents.flatMap(({ error, kind, name }) =>
      error ? [{ message: `${kind ?? ''} ${name ?? ''}: ${error.message}` }] : [],
    );
    if (failed.length > 0) notMade(failed);
    else tell([]);
    return failed.length === 0;
  };

  const forget = () => {
    latest.current = '';
    setLooked(null);
    setAccepted(null);
  };
  return { looked, accepted, look, make, forget, pending: making.pending || applying.pending };
}
