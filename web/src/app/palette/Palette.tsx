import { useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog';
import { useFleet } from '../fleet';
import { useViewer } from '../viewer';
import { Combobox } from './Combobox';
import type { Choice } from './choices';
import { useChoices, useStanding } from './choices';
import { doubtsOf } from './doubts';
import { searchedOf } from './finder';
import { hitsOf } from './found';
import { PaletteFoot } from './PaletteFoot';
import { recentOf, remember } from './recent';
import { useFinder } from './useFinder';

interface PaletteProps {
  close: () => void;
  showKeys: () => void;
}

/** Everything there is, by its name; every page, and what can be done. */
export function Palette({ close, showKeys }: PaletteProps) {
  const { t } = useTranslation();
  const viewer = useViewer()?.name ?? '';
  const { instances } = useFleet();
  const [typed, setTyped] = useState('');
  const [recent] = useState(() => recentOf(viewer));
  const { find, text, answer, busy } = useFinder();
  // An answer to an earlier text is shown until there is a newer one, so that the list does not blink.
  const found = useMemo(() => (answer?.data ? hitsOf(answer.data, text) : null), [answer, text]);
  const choices = useChoices(useStanding(showKeys), recent, typed, found);
  const searching = searchedOf(typed);
  const doubts = useMemo(() => doubtsOf(instances ?? [], answer?.problems ?? []), [instances, answer]);

  const choose = (choice: Choice) => {
    const { key, label, kind = '', detail = '', place } = choice;
    if (place) remember(viewer, { key: key.replace(/^recent\//, ''), label, kind, detail, place });
    // While the dialog is there, nothing behind it takes the focus.
    flushSync(close);
    choice.run();
    document.getElementById('content')?.focus();
  };

  return (
    <Dialog open close={close} title={t('palette.title')} bare>
      <Combobox
        typed={typed}
        choices={choices}
        change={(next) => {
          setTyped(next);
          find(next);
        }}
        choose={choose}
        close={close}
      />
      <PaletteFoot
        state={{
          typed: typed.trim() !== '',
          invalid: searching === null,
          busy: busy || (searching !== null && searching !== text),
          count: choices.length,
          more: found?.more ?? false,
        }}
        problems={answer?.problems ?? []}
        doubts={doubts}
      />
    </Dialog>
  );
}
