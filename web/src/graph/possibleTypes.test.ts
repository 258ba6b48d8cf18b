import { buildSchema, isInterfaceType, isObjectType } from 'graphql';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cacheKeys } from './client';
import { possibleTypes } from './possibleTypes';

const folder = '../schema';
const schema = buildSchema(
  readdirSync(folder)
    .filter((name) => name.endsWith('.graphqls'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n'),
);
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

describe('the cache', () => {
  it('knows every type of every interface of the contract', () => {
    const wanted = Object.fromEntries(
      types.filter(isInterfaceType).map((type) => [
        type.name,
        schema
          .getPossibleTypes(type)
          .map(({ name }) => name)
          .sort(),
      ]),
    );
    const known = Object.fromEntries(
      Object.entries(possibleTypes).map(([name, members]) => [name, [...members].sort()]),
    );
    expect(known).toEqual(wanted);
  });

  it('takes every type without an id for a value', () => {
    const roots = ['Query', 'Mutation', 'Subscription'];
    const values = types
      .filter(isObjectType)
      .filter((type) => !type.getFields().id && !roots.includes(type.name))
      .map(({ name }) => name)
      // Payloads and changes are read once and never found again.
      .filter((name) => !/Payload$|Change$|Outcome$/.test(name))
      .sort();
    expect(Object.keys(cacheKeys).sort()).toEqual(values);
  });
});
