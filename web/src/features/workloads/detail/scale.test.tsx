// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { Client } from 'urql';
import { Provider } from 'urql';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { fromValue } from 'wonka';
import type { WorkloadDetailFragment } from '../../../graph/generated/graphql';
import { startLanguage } from '../../../i18n';
import { ToastProvider } from '../../../ui/action/toast';
import { ScaleDialog } from './Scale';

vi.setConfig({ testTimeout: 30_000 });

beforeAll(startLanguage);
afterEach(cleanup);

interface UserError {
  code: string;
  message: string;
  field: string[] | null;
}

/** The dialog for a workload with three replicas; what it sends is noted. */
function open(userErrors: UserError[] = []) {
  const sent: unknown[] = [];
  const close = vi.fn();
  const client = {
    executeMutation: vi.fn((request: { variables: unknown }) => {
      sent.push(request.variables);
      return fromValue({ data: { scaleWorkload: { workload: null, userErrors } } });
    }),
  };
  const workload = { id: 'w', uid: 'u', name: 'cart', namespace: 'shop', kind: 'Deployment', replicas: 3 };
  render(
    <Provider value={client as unknown as Client}>
      <ToastProvider>
        <ScaleDialog workload={workload as unknown as WorkloadDetailFragment} open close={close} />
      </ToastProvider>
    </Provider>,
  );
  const input = screen.getByLabelText<HTMLInputElement>('Replicas');
  const form = input.closest('form');
  const submit = form?.querySelector<HTMLButtonElement>('button[type=submit]');
  if (!form || !submit) throw new Error('there is no form with a button');
  return { sent, close, input, form, submit };
}

it.each(['-3', '999999', '2.7', '1e3', '', ' 5 ', '5x'])(
  'says of %j what is allowed, and sends nothing',
  async (typed) => {
    const { sent, input, form, submit } = open();
    fireEvent.change(input, { target: { value: typed } });
    fireEvent.blur(input);
    expect(await screen.findByText(/whole number from 0 to 100000/)).toBeTruthy();
    // What was typed still stands there.
    expect(input.value).toBe(typed);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    await waitFor(() => expect(submit.disabled).toBe(true));
    // Enter submits the form, whatever the button is.
    fireEvent.submit(form);
    await new Promise((settled) => setTimeout(settled, 50));
    expect(sent).toEqual([]);
  },
);

it.each([
  ['0', 0],
  ['100000', 100_000],
])('sends %j as it was typed, and closes', async (typed, replicas) => {
  const { sent, close, input, form, submit } = open();
  fireEvent.change(input, { target: { value: typed } });
  await waitFor(() => expect(submit.disabled).toBe(false));
  expect(input.getAttribute('aria-invalid')).not.toBe('true');
  fireEvent.submit(form);
  await waitFor(() => expect(sent).toEqual([{ input: { id: 'w', uid: 'u', replicas } }]));
  await waitFor(() => expect(close).toHaveBeenCalled());
});

it('tells what it did, and takes it back', async () => {
  const { sent, input, form, submit } = open();
  fireEvent.change(input, { target: { value: '5' } });
  await waitFor(() => expect(submit.disabled).toBe(false));
  fireEvent.submit(form);
  expect(await screen.findByText('Karmada accepted 5 replicas.')).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ input: { id: 'w', uid: 'u', replicas: 3 } }));
  expect(await screen.findByText('Karmada accepted 3 replicas.')).toBeTruthy();
});

it('shows a refusal at the field that is to blame, and others above the buttons', async () => {
  const { close, input, form, submit } = open([
    { code: 'BAD_USER_INPUT', message: 'at most 10 here', field: ['spec', 'replicas'] },
    { code: 'CONFLICT', message: 'changed meanwhile', field: ['input', 'uid'] },
  ]);
  await waitFor(() => expect(submit.disabled).toBe(false));
  fireEvent.submit(form);
  expect(await screen.findByText('uid: changed meanwhile')).toBeTruthy();
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'));
  const said = input.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(said.map((id) => document.getElementById(id)?.textContent).join(' ')).toContain('at most 10 here');
  expect(close).not.toHaveBeenCalled();
});
