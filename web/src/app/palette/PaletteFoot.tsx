import { useTranslation } from 'react-i18next';
import type { Problem } from '../../graph/problems';
import { LONGEST_NAME } from '../../ui/typed';
import type { Doubts } from './doubts';

export interface PaletteState {
  typed: boolean;
  /** No name contains what is typed. */
  invalid: boolean;
  busy: boolean;
  count: number;
  more: boolean;
}

interface FootProps {
  state: PaletteState;
  problems: readonly Problem[];
  doubts: Doubts;
}

/** How the search went: what it did not look through, and what of it may be old. */
export function PaletteFoot({ state, problems, doubts }: FootProps) {
  const { t } = useTranslation();
  const failed = problems.find(({ instance }) => !instance);
  const { notSearched, old } = doubts;
  return (
    <div className="palette-foot small">
      <p role="status" className="muted">
        {useStatusText(state)}
      </p>
      {failed && (
        <p className="wrong" data-search="failed">
          {t('palette.failed')} {failed.message || t(`problem.${failed.code}`)}
        </p>
      )}
      {notSearched.length > 0 && (
        <p className="palette-doubt" data-search="not-searched">
          {t('palette.notSearched', { places: notSearched.join(', ') })}
        </p>
      )}
      {state.typed && old.length > 0 && (
        <p className="palette-doubt" data-search="old">
          {t('palette.old', { places: old.join(', ') })}
        </p>
      )}
    </div>
  );
}

function useStatusText({ typed, invalid, busy, count, more }: PaletteState): string {
  const { t } = useTranslation();
  if (!typed) return t('palette.keys');
  if (invalid) return t('palette.invalid', { most: LONGEST_NAME });
  if (busy) return t('palette.searching');
  if (count === 0) return t('palette.nothing');
  return more ? t('palette.more') : t('palette.found', { count });
}
