import { ConfigProvider, theme as antTheme } from 'antd';
import type { ThemeConfig } from 'antd';
import type { Locale } from 'antd/es/locale';
import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { cspNonce } from './nonce';

export const APPEARANCES = ['system', 'light', 'dark'] as const;
export type Appearance = (typeof APPEARANCES)[number];

interface ThemeState {
  appearance: Appearance;
  dark: boolean;
  choose: (appearance: Appearance) => void;
}

const KEY = 'kairship.appearance';
const ThemeContext = createContext<ThemeState | null>(null);
const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
const systemStill = window.matchMedia('(prefers-reduced-motion: reduce)');

/** Colours are told once, in styles/tokens.css; Ant Design gets those it derives others from. */
const SEEDS: Record<'light' | 'dark', ThemeConfig['token']> = {
  light: {
    colorPrimary: '#1f5fbf',
    // Darker, not lighter: white on it stays readable.
    colorPrimaryHover: '#184fa1',
    colorInfo: '#1f5fbf',
    colorSuccess: '#1a7a48',
    colorWarning: '#8a5a00',
    colorError: '#b3261e',
    colorTextBase: '#16202c',
    colorBgBase: '#ffffff',
    colorTextPlaceholder: '#5d6876',
    colorTextDisabled: '#6b7684',
    colorBorder: '#cfd6de',
    colorSuccessBg: '#e4f4ea',
    colorSuccessBorder: '#b5dec5',
    colorWarningBg: '#fdf1d8',
    colorWarningBorder: '#ecd196',
    colorErrorBg: '#fcebe9',
    colorErrorBorder: '#f0bfba',
  },
  dark: {
    colorPrimary: '#6ea8fe',
    colorInfo: '#6ea8fe',
    colorSuccess: '#5cc98f',
    colorWarning: '#e5b454',
    colorError: '#ff8a80',
    colorTextBase: '#e3e9f0',
    colorBgBase: '#141b24',
    colorTextPlaceholder: '#94a1b1',
    colorTextDisabled: '#7f8c9c',
    colorBorder: '#354253',
    colorBgContainer: '#18212c',
    colorBgElevated: '#1c2633',
    colorSuccessBg: '#12291d',
    colorSuccessBorder: '#23543a',
    colorWarningBg: '#2d2410',
    colorWarningBorder: '#5d4a1f',
    colorErrorBg: '#331917',
    colorErrorBorder: '#6a302c',
    colorTextLightSolid: '#0d1520',
  },
};

export function ThemeProvider({ children }: { children: ReactNode }) {
  const [appearance, setAppearance] = useState(storedAppearance);
  const wantsDark = useMedia(systemDark);
  const wantsStill = useMedia(systemStill);
  const dark = appearance === 'dark' || (appearance === 'system' && wantsDark);
  const locale = useAntLocale();

  useEffect(() => {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }, [dark]);

  const state = useMemo<ThemeState>(
    () => ({
      appearance,
      dark,
      choose: (wanted) => {
        localStorage.setItem(KEY, wanted);
        setAppearance(wanted);
      },
    }),
    [appearance, dark],
  );

  const config = useMemo<ThemeConfig>(
    () => ({
      algorithm: dark ? antTheme.darkAlgorithm : antTheme.defaultAlgorithm,
      token: {
        ...SEEDS[dark ? 'dark' : 'light'],
        borderRadius: 6,
        controlHeight: 30,
        controlHeightLG: 38,
        fontSize: 13,
        fontSizeLG: 14,
        fontFamily: 'inherit',
        motion: !wantsStill,
        // What loads turns its spinner and stays readable.
        opacityLoading: 0.85,
      },
    }),
    [dark, wantsStill],
  );

  return (
    <ThemeContext value={state}>
      <ConfigProvider csp={cspNonce ? { nonce: cspNonce } : undefined} theme={config} locale={locale}>
        {children}
      </ConfigProvider>
    </ThemeContext>
  );
}

export function useTheme(): ThemeState {
  const state = useContext(ThemeContext);
  if (!state) throw new Error('useTheme outside ThemeProvider');
  return state;
}

function useMedia(media: MediaQueryList): boolean {
  return useSyncExternalStore(
    (listener) => {
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => media.matches,
  );
}

function storedAppearance(): Appearance {
  const stored = localStorage.getItem(KEY);
  return APPEARANCES.find((known) => known === stored) ?? 'system';
}

/** Ant Design's own words (an empty list, a cleared field) in the language of the page. */
function useAntLocale(): Locale | undefined {
  const { i18n } = useTranslation();
  const [chinese, setChinese] = useState<Locale>();
  const wanted = i18n.language === 'zh';
  useEffect(() => {
    if (!wanted) return;
    let left = false;
    void import('antd/es/locale/zh_CN').then((module) => {
      if (!left) setChinese(module.default);
    });
    return () => {
      left = true;
    };
  }, [wanted]);
  return wanted ? chinese : undefined;
}
