import { Button } from 'antd';
import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { itemAfter } from './menu';

export interface MenuItem {
  id: string;
  label: string;
  /** Why it cannot be done, or what is to be known of it. */
  note?: string;
  disabled?: boolean;
  /** It takes something away, for good. */
  danger?: boolean;
  run: () => void;
}

interface MenuButtonProps {
  label: ReactNode;
  /** What the menu is of. */
  name: string;
  items: readonly MenuItem[];
}

/** A button that unfolds a menu: arrow keys, Home, End and first letters move in it, Escape folds it. */
export function MenuButton({ label, name, items }: MenuButtonProps) {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const menu = useId();

  useEffect(() => {
    if (!open) return;
    place.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const elsewhere = ({ target }: Event) => {
      if (!place.current?.contains(target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', elsewhere);
    document.addEventListener('focusin', elsewhere);
    return () => {
      document.removeEventListener('pointerdown', elsewhere);
      document.removeEventListener('focusin', elsewhere);
    };
  }, [open]);

  const fold = () => {
    setOpen(false);
    // What opens next gives the focus back to the button, not to an item that is gone.
    place.current?.querySelector('button')?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      fold();
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const stops = [...(place.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    const to = itemAfter(
      event.key,
      at,
      items.map(({ label }) => label),
    );
    if (to === null) return;
    event.preventDefault();
    stops[to]?.focus();
  };

  return (
    <span className="menu-place" ref={place}>
      <Button
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? menu : undefined}
        disabled={items.length === 0}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || open) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {label}
        <span aria-hidden="true"> ▾</span>
      </Button>
      {open && (
        <div id={menu} role="menu" aria-label={name} className="menu" onKeyDown={press}>
          {items.map((item) => (
            <button
              key={item.id}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={item.danger ? 'menu-item is-danger' : 'menu-item'}
              aria-disabled={item.disabled}
              data-menu-item={item.id}
              onClick={() => {
                if (item.disabled) return;
                fold();
                item.run();
              }}
            >
              {item.label}
              {item.note && <span className="menu-note small">{item.note}</span>}
            </button>
          ))}
        </div>
      )}
    </span>
  );
}
