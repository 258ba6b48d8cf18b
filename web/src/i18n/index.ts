import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { en as bulk } from '../app/bulk/texts/en';
import type { en as namespaceDeletion } from '../app/namespaces/texts/en';
import type { en as fleet } from '../features/clusters/texts/late.en';
import type { en as namespaces } from '../features/namespaces/texts/en';
import type { en as policyForm } from '../features/policies/form/texts/en';
import type { en as compose } from '../features/workloads/create/texts/en';
import type { en as detail } from '../features/workloads/detail/texts/en';
import type { en as workloadBulk } from '../features/workloads/list/bulk/texts/en';
import type { en as finding } from '../ui/finding/texts/en';
import { en } from './en';
import type { Words } from './words';

export const LANGUAGES = [
  { code: 'en', label: 'English' },
  { code: 'zh', label: '中文' },
] as const;
export type Language = (typeof LANGUAGES)[number]['code'];

const KEY = 'kairship.language';

/** The texts of what is fetched when wanted come with it (addTexts): they are no weight on the first page. */
type Late = typeof finding &
  typeof detail &
  typeof fleet &
  typeof namespaces &
  typeof namespaceDeletion &
  typeof bulk &
  typeof workloadBulk &
  typeof policyForm &
  typeof compose;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'words';
    resources: { words: typeof en & Late };
  }
}

export function preferredLanguage(
  stored: string | null = localStorage.getItem(KEY),
  wished: readonly string[] = navigator.languages,
): Language {
  const known = LANGUAGES.find(({ code }) => code === stored);
  if (known) return known.code;
  for (const wish of wished) {
    const match = LANGUAGES.find(({ code }) => wish.toLowerCase().startsWith(code));
    if (match) return match.code;
  }
  return 'en';
}

/** Texts that came with pages, by language. */
const added: Record<Language, object> = { en: {}, zh: {} };
let zhLoaded = false;

/** Adds the texts of a page that is fetched when wanted: it calls this as it is loaded, before anything of it is drawn. */
export function addTexts<English extends object>(texts: { en: English; zh: Words<English> }): void {
  for (const { code } of LANGUAGES) {
    Object.assign(added[code], texts[code]);
    if (i18next.isInitialized) i18next.addResourceBundle(code, 'words', texts[code], true, true);
  }
}

/** English is always there; other languages are fetched when they are wanted. */
export async function startLanguage(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    ns: ['words'],
    defaultNS: 'words',
    resources: { en: { words: { ...en, ...added.en } } },
    interpolation: { escapeValue: false },
    showSupportNotice: false,
  });
  await speak(preferredLanguage());
}

export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language);
  await speak(language);
}

async function speak(language: Language): Promise<void> {
  if (language === 'zh' && !zhLoaded) {
    const { zh } = await import('./zh');
    i18next.addResourceBundle('zh', 'words', { ...zh, ...added.zh }, true, true);
    zhLoaded = true;
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : language;
}
