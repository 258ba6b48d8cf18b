// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { MenuButton } from './MenuButton';

afterEach(cleanup);

function shown() {
  const restart = vi.fn();
  const remove = vi.fn();
  render(
    <MenuButton
      label="Actions"
      name="Actions on cart"
      items={[
        { id: 'restart', label: 'Restart', run: restart },
        { id: 'delete', label: 'Delete', disabled: true, note: 'It takes a right.', run: remove },
      ]}
    />,
  );
  return { restart, remove, button: screen.getByRole('button', { name: 'Actions' }) };
}

it('unfolds with the first item in focus, moves by arrow keys, and folds by Escape', () => {
  const { button } = shown();
  expect(button.getAttribute('aria-expanded')).toBe('false');
  button.focus();
  fireEvent.keyDown(button, { key: 'ArrowDown' });
  expect(screen.getByRole('menu', { name: 'Actions on cart' })).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Restart');
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toContain('Delete');
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button);
});

it('runs what is chosen, and nothing that is not offered', () => {
  const { restart, remove, button } = shown();
  fireEvent.click(button);
  fireEvent.click(screen.getByRole('menuitem', { name: /Delete/ }));
  expect(remove).not.toHaveBeenCalled();
  expect(screen.getByText('It takes a right.')).toBeTruthy();
  fireEvent.click(screen.getByRole('menuitem', { name: 'Restart' }));
  expect(restart).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button);
});

it('folds when somebody goes on elsewhere', () => {
  const { button } = shown();
  fireEvent.click(button);
  fireEvent.pointerDown(document.body);
  expect(screen.queryByRole('menu')).toBeNull();
});
