// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Client } from 'urql';
import { Provider } from 'urql';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { fromValue } from 'wonka';
import type { WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { startLanguage } from '../../../../i18n';
import { ToastProvider } from '../../../../ui/action/toast';
import '../texts';
import { ImageDialog } from './ChangeImage';
import { Run } from './Run';

vi.setConfig({ testTimeout: 30_000 });

beforeAll(startLanguage);
afterEach(cleanup);

/** Draws a dialog; what it sends is noted, and accepted. */
function show(field: string, dialog: ReactNode) {
  const sent: unknown[] = [];
  const client = {
    executeMutation: vi.fn((request: { variables: { input: unknown } }) => {
      sent.push(request.variables.input);
      return fromValue({ data: { [field]: { userErrors: [] } } });
    }),
  };
  render(
    <Provider value={client as unknown as Client}>
      <ToastProvider>{dialog}</ToastProvider>
    </Provider>,
  );
  const submit = () => fireEvent.submit(document.querySelector('form') ?? document.body);
  return { sent, submit };
}

const workload = (kind: string) =>
  ({ id: 'w', uid: 'u', name: 'report', namespace: 'shop', kind }) as unknown as WorkloadDetailFragment;

it('asks the API server first, suspends a CronJob, and takes it back', async () => {
  const { sent, submit } = show(
    'suspendCronJob',
    <Run workload={workload('CronJob')} what="suspend" close={() => {}} />,
  );
  expect(await screen.findByText('The API server would accept it.')).toBeTruthy();
  expect(sent).toEqual([{ id: 'w', uid: 'u', suspend: true, dryRun: true }]);
  expect(screen.getByText(/No more Jobs start/)).toBeTruthy();
  submit();
  expect(await screen.findByText('report is suspended.')).toBeTruthy();
  expect(sent.at(-1)).toEqual({ id: 'w', uid: 'u', suspend: true });
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('report is resumed.')).toBeTruthy();
  expect(sent.at(-1)).toEqual({ id: 'w', uid: 'u', suspend: false });
});

it('suspends a Job by pausing it, and says what becomes of its pods', async () => {
  const { sent, submit } = show(
    'pauseWorkload',
    <Run workload={workload('Job')} what="suspend" close={() => {}} />,
  );
  expect(await screen.findByText(/Its running pods are ended/)).toBeTruthy();
  submit();
  await waitFor(() => expect(sent.at(-1)).toEqual({ id: 'w', uid: 'u' }));
});

it('shows the image of the container that is chosen, and sends what was typed for it', async () => {
  const containers = [
    { name: 'web', image: 'web:1', init: false },
    { name: 'proxy', image: 'proxy:7', init: false },
  ];
  const { sent, submit } = show(
    'updateWorkloadImage',
    <ImageDialog workload={workload('Deployment')} containers={containers} close={() => {}} />,
  );
  const image = screen.getByLabelText<HTMLInputElement>('Image');
  expect(image.value).toBe('web:1');
  await waitFor(() => expect(screen.getByText('Now: web:1')).toBeTruthy());
  fireEvent.mouseDown(screen.getByRole('combobox'));
  fireEvent.click(await screen.findByTitle('proxy'));
  await waitFor(() => expect(image.value).toBe('proxy:7'));
  fireEvent.change(image, { target: { value: 'proxy:8' } });
  fireEvent.click(screen.getByRole('button', { name: 'Dry run' }));
  await waitFor(() =>
    expect(sent).toEqual([{ id: 'w', uid: 'u', container: 'proxy', image: 'proxy:8', dryRun: true }]),
  );
  expect(await screen.findByText('The API server would accept it.')).toBeTruthy();
  // Nothing came of it: no toast says so.
  expect(screen.queryByText('Karmada accepted the image proxy:8.')).toBeNull();
  submit();
  await waitFor(() =>
    expect(sent.at(-1)).toEqual({ id: 'w', uid: 'u', container: 'proxy', image: 'proxy:8' }),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(sent.at(-1)).toEqual({ id: 'w', uid: 'u', container: 'proxy', image: 'proxy:7' }),
  );
});
