import { ConfigProvider } from 'antd';
import type { KeyboardEvent, ReactNode } from 'react';
import { useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

interface DialogProps {
  open: boolean;
  close: () => void;
  title: ReactNode;
  /** At the side of the page instead of over its middle. */
  side?: boolean;
  /** Its title is for those who do not see it, and what is in it closes it. */
  bare?: boolean;
  children: ReactNode;
}

/**
 * The browser's own dialog: it keeps the focus, and gives it back. Ant Design's would stop the page from
 * scrolling by a style without a nonce, which the page's policy forbids.
 */
export function Dialog({ open, ...shown }: DialogProps) {
  return open && <Modal {...shown} />;
}

function Modal({ close, title, side = false, bare = false, children }: Omit<DialogProps, 'open'>) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={`dialog${side ? ' is-side' : ''}${bare ? ' is-bare' : ''}`}
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === event.currentTarget && close()}
      onKeyDownCapture={keepForList}
    >
      <div className="dialog-body">
        <header className={bare ? 'sr-only' : 'dialog-head'}>
          <h2 id={name}>{title}</h2>
          {!bare && (
            <button type="button" className="dialog-close" aria-label={t('app.close')} onClick={close}>
              <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
                <path d="M5 5l10 10M15 5 5 15" />
              </svg>
            </button>
          )}
        </header>
        {/* Lists that fold out elsewhere would lie behind the dialog. */}
        <ConfigProvider getPopupContainer={() => dialog.current ?? document.body}>{children}</ConfigProvider>
      </div>
    </dialog>
  );
}

/** Escape folds an open list before it closes the dialog. */
function keepForList(event: KeyboardEvent) {
  const target = event.target as HTMLElement;
  if (event.key === 'Escape' && target.getAttribute('aria-expanded') === 'true') event.preventDefault();
}
