import type { KeyboardEvent } from 'react';

/**
 * Arrow keys in the list: up and down between rows, right and left between a row's name and its chips.
 * Tab goes from name to name, so that chips do not stand in the way. The letter x chooses the row, where rows can be chosen.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const from = (event.target as HTMLElement).closest<HTMLElement>('a');
  const row = from?.closest('tr');
  if (!from || !row || event.altKey || event.ctrlKey || event.metaKey) return;

  const stops = stopsOf(row);
  const at = stops.indexOf(from);
  let to: HTMLElement | undefined;
  switch (event.key) {
    case 'ArrowRight':
      to = stops[at + 1];
      break;
    case 'ArrowLeft':
      to = stops[at - 1];
      break;
    case 'ArrowDown':
      to = nearest(row.nextElementSibling, at);
      break;
    case 'ArrowUp':
      to = nearest(row.previousElementSibling, at);
      break;
    case 'x': {
      const box = row.querySelector<HTMLElement>('.col-select input');
      if (!box) return;
      box.click();
      to = from;
      break;
    }
    default:
      return;
  }
  event.preventDefault();
  to?.focus();
  to?.scrollIntoView({ block: 'nearest' });
}

function stopsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a')];
}

function nearest(row: Element | null, at: number): HTMLElement | undefined {
  if (!row) return undefined;
  const stops = stopsOf(row);
  return stops[Math.min(at, stops.length - 1)];
}
