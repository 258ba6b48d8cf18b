import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchIcon } from './icons';
import { useAllowedNavigation } from './navigation';
import { PALETTE_KEYS, useKeys } from './useKeys';

const importPalette = () => import('./palette/Palette');
const importKeys = () => import('./Keys');
const Palette = lazy(() => importPalette().then(({ Palette }) => ({ default: Palette })));
const Keys = lazy(() => importKeys().then(({ Keys }) => ({ default: Keys })));

type Open = 'palette' | 'keys' | null;

/** The palette and the list of keys, with the button and the keys that open them. */
export function Shortcuts() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>(null);
  const navigate = useNavigate();
  const entries = useAllowedNavigation();
  useKeys({
    palette: () => setOpen('palette'),
    keys: () => setOpen('keys'),
    go: (letter) => {
      const entry = entries.find(({ key }) => key === letter);
      if (!entry) return;
      if (entry.document) location.assign(entry.path);
      else void navigate({ to: entry.path });
    },
  });
  // They are there when the keys are pressed, and when Kairship is away for a moment.
  useEffect(() => {
    importPalette().catch(() => {});
    importKeys().catch(() => {});
  }, []);
  const close = () => setOpen(null);
  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen('palette')}
      >
        <SearchIcon />
        <span className="search-word">{t('palette.button')}</span>
        <span className="search-keys" aria-hidden="true">
          {PALETTE_KEYS.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      </button>
      <Suspense>
        {open === 'palette' && <Palette close={close} showKeys={() => setOpen('keys')} />}
        {open === 'keys' && <Keys close={close} />}
      </Suspense>
    </>
  );
}
