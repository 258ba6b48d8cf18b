// @vitest-environment jsdom
import type { KeyboardEvent } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { moveFocus } from './keys';

afterEach(() => document.body.replaceChildren());

/** Presses a key at the name of the first row. */
function press(key: string, rows: string) {
  document.body.innerHTML = `<table><tbody>${rows}</tbody></table>`;
  // There is nothing to scroll here.
  Element.prototype.scrollIntoView = vi.fn();
  const target = document.querySelector<HTMLElement>('a');
  if (!target) throw new Error('there is a name');
  target.focus();
  const preventDefault = vi.fn();
  moveFocus({ key, target, preventDefault } as unknown as KeyboardEvent<HTMLElement>);
  return preventDefault.mock.calls.length > 0;
}

const ROW = '<tr><td class="col-select"><input type="checkbox" /></td><th><a href="#a">a</a></th></tr>';

it('chooses the row by x, and stays on its name', () => {
  expect(press('x', ROW)).toBe(true);
  expect(document.querySelector('input')?.checked).toBe(true);
  expect(document.activeElement?.textContent).toBe('a');
});

it('leaves x alone where rows cannot be chosen', () => {
  expect(press('x', '<tr><th><a href="#a">a</a></th></tr>')).toBe(false);
});

it('goes down to the next name', () => {
  expect(press('ArrowDown', ROW + ROW.replace('#a">a', '#b">b'))).toBe(true);
  expect(document.activeElement?.textContent).toBe('b');
});
