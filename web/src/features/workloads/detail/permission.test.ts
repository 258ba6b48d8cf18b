// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { makeClient } from '../../../graph/client';
import { PermissionDocument, WorkloadDocument } from '../../../graph/generated/graphql';
import { resourceOf } from '../../../app/kinds';

afterEach(() => vi.unstubAllGlobals());

it('is known with the workload: it is not asked for again', async () => {
  const instance = {
    __typename: 'Instance',
    id: 'i',
    name: 'asia',
    access: { __typename: 'Access', may: true },
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
  const { data } = await client
    .query(PermissionDocument, { ...object, verb: 'PATCH' }, { requestPolicy: 'cache-first' })
    .toPromise();
  expect(data?.instance?.access.may).toBe(true);
  expect(fetch).toHaveBeenCalledTimes(1);
});
