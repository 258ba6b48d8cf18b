import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en';

export const LANGUAGES = [
  { code: 'en', label: 'English' },
  { code: 'zh', label: '中文' },
] as const;
export type Language = (typeof LANGUAGES)[number]['code'];

const KEY = 'kairship.language';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'words';
    resources: { words: typeof en };
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

/** English is always there; other languages are fetched when they are wanted. */
export async function startLanguage(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    ns: ['words'],
    defaultNS: 'words',
    resources: { en: { words: en } },
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
  if (language === 'zh' && !i18next.hasResourceBundle('zh', 'words')) {
    const { zh } = await import('./zh');
    i18next.addResourceBundle('zh', 'words', zh);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : language;
}
