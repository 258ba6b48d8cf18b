import { Button, notification } from 'antd';
import type { ReactNode } from 'react';
import { createContext, useContext, useMemo } from 'react';

let count = 0;

/** Long enough to read, and to take back what was done. */
const SECONDS = 8;

export interface Toast {
  /** It failed: it stays until it is closed. */
  failed?: boolean;
  title: string;
  /** Why, in words. */
  reasons?: readonly string[];
  /** What can be done about it. */
  button?: { label: string; press: () => void };
}

const ToastContext = createContext<(toast: Toast) => void>(() => {});

/** Shows what became of what somebody did, also when they have gone on to another page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  // Away from where the buttons are that one presses next.
  const [api, holder] = notification.useNotification({ placement: 'bottomRight' });
  const show = useMemo(
    () =>
      ({ failed, title, reasons, button }: Toast) => {
        count += 1;
        const key = `toast-${count}`;
        const press = () => {
          api.destroy(key);
          button?.press();
        };
        api.open({
          key,
          type: failed ? 'error' : 'success',
          role: failed ? 'alert' : 'status',
          title,
          description: reasons?.map((reason) => <p key={reason}>{reason}</p>),
          duration: failed ? false : SECONDS,
          actions: button && (
            <Button size="small" onClick={press}>
              {button.label}
            </Button>
          ),
        });
      },
    [api],
  );
  return (
    <ToastContext value={show}>
      {holder}
      {children}
    </ToastContext>
  );
}

export function useToast(): (toast: Toast) => void {
  return useContext(ToastContext);
}
