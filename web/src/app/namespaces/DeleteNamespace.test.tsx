// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { Client } from 'urql';
import { Provider } from 'urql';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { fromValue, never } from 'wonka';
import { startLanguage } from '../../i18n';
import { ToastProvider } from '../../ui/action/toast';
import { DeleteNamespaceDialog } from './DeleteNamespace';

vi.setConfig({ testTimeout: 30_000 });

beforeAll(startLanguage);
afterEach(cleanup);

const HOLDS = {
  code: 'BAD_USER_INPUT',
  message: 'is false, and namespace "shop" holds 2 Deployments',
  field: ['input', 'cascade'],
};

it('says what stands in the way, and deletes what it holds only where that is said', async () => {
  const sent: unknown[] = [];
  const client = {
    executeQuery: () => never,
    executeMutation: vi.fn((request: { variables: { input: { cascade: boolean } } }) => {
      const { input } = request.variables;
      sent.push(input);
      const userErrors = input.cascade ? [] : [HOLDS];
      return fromValue({ data: { deleteNamespace: { deletedId: null, userErrors } } });
    }),
  };
  render(
    <Provider value={client as unknown as Client}>
      <ToastProvider>
        <DeleteNamespaceDialog namespace={{ id: 'n', uid: 'u', name: 'shop' }} close={() => {}} />
      </ToastProvider>
    </Provider>,
  );
  const guard = () => document.querySelector('[data-dry-run]')?.getAttribute('data-dry-run');
  await waitFor(() => expect(guard()).toBe('refused'));
  expect(sent).toEqual([{ id: 'n', uid: 'u', cascade: false, dryRun: true }]);

  fireEvent.click(screen.getByRole('checkbox', { name: 'Delete also what it holds', hidden: true }));
  await waitFor(() => expect(guard()).toBe('accepted'));
  expect(sent.at(-1)).toEqual({ id: 'n', uid: 'u', cascade: true, dryRun: true });

  const submit = document.querySelector<HTMLButtonElement>('form button[type=submit]');
  expect(submit?.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Type shop to confirm'), { target: { value: 'shop' } });
  await waitFor(() => expect(submit?.disabled).toBe(false));
  fireEvent.submit(document.querySelector('form') ?? document.body);
  await waitFor(() => expect(sent.at(-1)).toEqual({ id: 'n', uid: 'u', cascade: true }));
});
