import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { signOut } from '../../features/session/session';
import { LANGUAGES, changeLanguage } from '../../i18n';
import { useToast } from '../../ui/action/toast';
import type { AnyState } from '../../ui/tones';
import { useOffered } from '../commands';
import { useAllowedNavigation } from '../navigation';
import type { Place } from '../places';
import { linkOf } from '../places';
import { APPEARANCES, useTheme } from '../theme';
import { searchedOf } from './finder';
import type { Hit, Hits } from './found';
import type { Recent } from './recent';

export const GROUPS = [
  'recent',
  'instances',
  'clusters',
  'workloads',
  'objects',
  'pages',
  'actions',
] as const;

export interface Choice {
  group: (typeof GROUPS)[number];
  key: string;
  label: string;
  kind?: string;
  detail?: string;
  state?: AnyState;
  /** Remembered when it is chosen. */
  place?: Place;
  run: () => void;
}

/** Where one can go and what one can do, whatever is searched for. */
export function useStanding(showKeys: () => void): Choice[] {
  return [...usePages(), ...useActions(showKeys)];
}

function usePages(): Choice[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useAllowedNavigation().map(({ path, label, key, document }) => ({
    group: 'pages',
    key: `page${path}`,
    label: t(label),
    detail: key && `g ${key}`,
    run: () => (document ? location.assign(path) : void navigate({ to: path })),
  }));
}

function useActions(showKeys: () => void): Choice[] {
  const { t, i18n } = useTranslation();
  const theme = useTheme();
  const toast = useToast();
  const offered = useOffered();
  const action = (id: string, label: string, run: () => void, detail?: string): Choice => ({
    group: 'actions',
    key: `action/${id}`,
    label,
    detail,
    run,
  });
  const leave = () =>
    void signOut().catch((error: unknown) =>
      toast({
        failed: true,
        title: t('palette.notSignedOut'),
        reasons: [error instanceof Error ? error.message : String(error)],
      }),
    );
  return [
    ...offered.map(({ id, label, detail, run }) => action(id, label, run, detail)),
    ...APPEARANCES.filter((appearance) => appearance !== theme.appearance).map((appearance) =>
      action(`appearance-${appearance}`, t('palette.appearance', { to: t(`app.theme.${appearance}`) }), () =>
        theme.choose(appearance),
      ),
    ),
    ...LANGUAGES.filter(({ code }) => code !== i18n.language).map(({ code, label }) =>
      action(`language-${code}`, t('palette.language', { to: label }), () => void changeLanguage(code)),
    ),
    action('keys', t('palette.showKeys'), showKeys, '?'),
    action('sign-out', t('app.signOut'), leave),
  ];
}

/** What a search found, what was chosen lately while nothing is, and what of the rest is called so. */
export function useChoices(
  standing: readonly Choice[],
  recent: readonly Recent[],
  typed: string,
  found: Hits | null,
) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useMemo(() => {
    const words = typed.trim().toLowerCase();
    const go = (place: Place) => () => void navigate(linkOf(place));
    if (words === '') {
      const lately = recent.map(({ key, label, kind, detail, place }): Choice => ({
        group: 'recent',
        key: `recent/${key}`,
        label,
        kind,
        detail,
        place,
        run: go(place),
      }));
      return [...lately, ...standing];
    }
    // Until the answer to what is typed now is there, what fits of the one before.
    const hits = (found?.hits ?? [])
      .filter((hit) => isCalled(hit, words))
      .map((hit): Choice => ({
        group: hit.group,
        key: hit.key,
        label: hit.label,
        kind: hit.kind,
        detail: detailOf(hit, t),
        state: hit.state,
        place: hit.place,
        run: go(hit.place),
      }));
    if (hits.some(({ group }) => group === 'workloads')) {
      const name = searchedOf(typed) ?? words;
      const place: Place = { type: 'workloads', name };
      const label = t('palette.asList', { name });
      hits.push({ group: 'workloads', key: 'list', label, run: go(place) });
    }
    const called = standing.filter(({ label }) => label.toLowerCase().includes(words));
    const all = [...hits, ...called];
    return all.sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));
  }, [standing, recent, typed, found, t, navigate]);
}

function isCalled({ label, kind }: Hit, words: string): boolean {
  return label.toLowerCase().includes(words) || kind.toLowerCase().includes(words);
}

const FEW = 3;

/** Where it is, and what choosing it shows where that is not the thing itself. */
function detailOf({ instance, clusters, leadsTo }: Hit, t: TFunction): string {
  const few = clusters.slice(0, FEW).join(', ');
  const members = clusters.length > FEW ? t('palette.andMore', { few, count: clusters.length - FEW }) : few;
  const where = [instance, members].filter(Boolean).join(' / ');
  return leadsTo ? `${where} · ${t(`palette.leadsTo.${leadsTo}`)}` : where;
}
