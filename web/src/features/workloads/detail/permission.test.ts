// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { makeClient } from '../../../graph/client';
import type { PermissionQueryVariables } from '../../../graph/generated/graphql';
import { PermissionDocument, WorkloadDocument } from '../../../graph/generated/graphql';
import { resourceOf } from '../../../app/kinds';

afterEach(() => vi.unstubAllGlobals());

it('is known with the workload: it is not asked for again', async () => {
  const instance = {
    __typename: 'Instance',
    id: 'i',
    name: 'asia',
    access: {
      __typename: 'Access',
      may: true,
      mayDelete: false,
      mayReschedule: false,
      mayReadLogs: true,
      mayRunCommands: false,
    },
    workload: null,
  };
  const fetch = vi.fn(() =>
    Promise.resolve(
      new Response(JSON.stringify({ data: { instance } }), {
        headers: { 'content-type': 'application/graphql-response+json' },
      }),
    ),
  );
  vi.stubGlobal('fetch', fetch);
  const client = makeClient();
  const object = { instance: 'asia', namespace: 'shop', ...resourceOf('DEPLOYMENT') };
  await client.query(WorkloadDocument, { ...object, kind: 'DEPLOYMENT', name: 'cart' }).toPromise();
  const may = async (asked: Omit<PermissionQueryVariables, 'instance' | 'namespace'>) => {
    const { data } = await client
      .query(
        PermissionDocument,
        { instance: 'asia', namespace: 'shop', ...asked },
        { requestPolicy: 'cache-first' },
      )
      .toPromise();
    return data?.instance?.access.may;
  };
  expect(await may({ verb: 'PATCH', ...resourceOf('DEPLOYMENT') })).toBe(true);
  expect(await may({ verb: 'DELETE', ...resourceOf('DEPLOYMENT') })).toBe(false);
  expect(await may({ verb: 'GET', group: '', resource: 'pods/log' })).toBe(true);
  expect(await may({ verb: 'CREATE', group: '', resource: 'pods/exec' })).toBe(false);
  expect(fetch).toHaveBeenCalledTimes(1);
});
