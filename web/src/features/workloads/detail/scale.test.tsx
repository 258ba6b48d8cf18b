// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { Client } from 'urql';
import { Provider } from 'urql';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { fromValue } from 'wonka';
import type { WorkloadDetailFragment } from '../../../graph/generated/graphql';
import { startLanguage } from '../../../i18n';
import { ScaleForm } from './Scale';

vi.setConfig({ testTimeout: 30_000 });

beforeAll(startLanguage);
afterEach(cleanup);

/** The form for a workload with three replicas; what it sends is noted. */
function open() {
  const sent: unknown[] = [];
  const client = {
    executeMutation: vi.fn((request: { variables: unknown }) => {
      sent.push(request.variables);
      return fromValue({ data: { scaleWorkload: { workload: null, userErrors: [] } } });
    }),
  };
  const workload = { id: 'w', uid: 'u', name: 'cart', namespace: 'shop', kind: 'Deployment', replicas: 3 };
  render(
    <Provider value={client as unknown as Client}>
      <ScaleForm workload={workload as unknown as WorkloadDetailFragment} close={() => {}} />
    </Provider>,
  );
  const input = screen.getByLabelText<HTMLInputElement>('Replicas');
  const form = input.closest('form');
  const submit = form?.querySelector<HTMLButtonElement>('button[type=submit]');
  if (!form || !submit) throw new Error('there is no form with a button');
  return { sent, input, form, submit };
}

it.each(['-3', '999999', '2.7', '1e3', '', ' 5 ', '5x'])(
  'says of %j what is allowed, and sends nothing',
  async (typed) => {
    const { sent, input, form, submit } = open();
    fireEvent.change(input, { target: { value: typed } });
    fireEvent.blur(input);
    // What was typed still stands there.
    expect(input.value).toBe(typed);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText(/whole number from 0 to 100000/)).toBeTruthy();
    expect(submit.disabled).toBe(true);
    // Enter submits the form, whatever the button is.
    fireEvent.submit(form);
    await Promise.resolve();
    expect(sent).toEqual([]);
  },
);

it.each([
  ['0', 0],
  ['100000', 100_000],
])('sends %j as it was typed', async (typed, replicas) => {
  const { sent, input, form, submit } = open();
  fireEvent.change(input, { target: { value: typed } });
  expect(input.getAttribute('aria-invalid')).toBe('false');
  expect(submit.disabled).toBe(false);
  fireEvent.submit(form);
  await waitFor(() => expect(sent).toEqual([{ input: { id: 'w', uid: 'u', replicas } }]));
});
