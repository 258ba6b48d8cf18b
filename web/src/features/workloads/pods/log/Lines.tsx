import { Button } from 'antd';
import type { KeyboardEvent, PointerEvent } from 'react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keyOf } from '../pod';
import type { LogEntry } from './buffer';
import { containing } from './buffer';
import type { LogView } from './useLog';

interface LinesProps {
  label: string;
  log: LogView;
  /** There are pods whose logs are asked for. */
  asked: boolean;
  timestamps: boolean;
  wrapped: boolean;
  /** Each line says of which pod it is. */
  named: boolean;
  /** Only lines that contain it are shown. */
  find: string;
  again: () => void;
}

const BACK_KEYS = ['ArrowUp', 'PageUp', 'Home'];

/** Lines as they come. They stand still while somebody reads: by the button, or by scrolling back. */
export function Lines({ label, log, asked, timestamps, wrapped, named, find, again }: LinesProps) {
  const { t } = useTranslation();
  const [held, setHeld] = useState<LogView | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { entries, trimmed } = held ?? log;
  const shown = useMemo(() => containing(entries, find), [entries, find]);
  const hold = () => setHeld((before) => before ?? log);

  useEffect(() => {
    const element = scroller.current;
    if (held || !element || !content.current) return;
    const observer = new ResizeObserver(() => element.scrollTo(0, element.scrollHeight));
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [held]);

  const scrollsBack = {
    onWheel: ({ deltaY }: { deltaY: number }) => deltaY < 0 && hold(),
    onTouchMove: hold,
    onKeyDown: ({ key }: KeyboardEvent) => BACK_KEYS.includes(key) && hold(),
    onPointerDown: ({ currentTarget, nativeEvent }: PointerEvent) =>
      nativeEvent.offsetX > currentTarget.clientWidth && hold(),
  };
  const fresh = held ? (log.entries.at(-1)?.key ?? 0) - (held.entries.at(-1)?.key ?? 0) : 0;
  return (
    <>
      <div
        ref={scroller}
        className={wrapped ? 'log-lines is-wrapped' : 'log-lines'}
        role="log"
        aria-live="off"
        aria-label={label}
        tabIndex={0}
        data-held={held !== null}
        {...scrollsBack}
      >
        <div ref={content}>
          {trimmed > 0 && <div className="log-note">{t('log.trimmed', { count: trimmed })}</div>}
          {shown.map((entry) => (
            <Entry key={entry.key} entry={entry} timestamps={timestamps} named={named} />
          ))}
          {entries.length > 0 && !shown.some(({ kind }) => kind === 'line') && (
            <div className="log-note">{t('log.noneFound', { text: find })}</div>
          )}
          {entries.length === 0 && (
            <div className="log-note">
              {t(!asked ? 'log.noPods' : log.ended ? 'log.empty' : 'log.waiting')}
            </div>
          )}
        </div>
      </div>
      <div className="log-foot">
        <span className="muted small" role="status" data-log-state={log.ended ? 'ended' : 'followed'}>
          {t(log.ended ? 'log.ended' : held ? 'log.held' : 'log.followed', { count: entries.length })}
          {find !== '' && ` · ${t('log.found', { shown: shown.length })}`}
        </span>
        <span className="page-gap" />
        {log.ended && (
          <Button size="small" onClick={again}>
            {t('log.again')}
          </Button>
        )}
        {!log.ended && (
          <Button
            size="small"
            type={held ? 'primary' : 'default'}
            onClick={() => (held ? setHeld(null) : hold())}
          >
            {held ? t('log.resume', { count: fresh }) : t('log.hold')}
          </Button>
        )}
      </div>
    </>
  );
}

interface EntryProps {
  entry: LogEntry;
  timestamps: boolean;
  named: boolean;
}

const Entry = memo(function Entry({ entry, timestamps, named }: EntryProps) {
  const { t } = useTranslation();
  switch (entry.kind) {
    case 'line': {
      const { at, text, cut } = entry.line;
      return (
        <div className="log-line">
          {timestamps && (
            <time className="log-mark" dateTime={at}>
              {at}{' '}
            </time>
          )}
          {named && <span className="log-mark">{keyOf(entry.line)} </span>}
          {text}
          {cut > 0 && <span className="log-mark"> {t('log.cut', { count: cut })}</span>}
        </div>
      );
    }
    case 'dropped':
      return <div className="log-note">{t('log.dropped', { count: entry.count })}</div>;
    case 'ended':
      return (
        <div className="log-note">
          {entry.message
            ? t('log.podFailed', { pod: entry.pod, message: entry.message })
            : t('log.podEnded', { pod: entry.pod })}
        </div>
      );
    case 'resumed':
      return <div className="log-note">{t('log.resumed')}</div>;
  }
});
