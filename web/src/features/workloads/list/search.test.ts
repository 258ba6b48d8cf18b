import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '../../../app/search';
import type { WorkloadsSearch } from './search';
import { filterOf, instanceFilterOf, orderByOf, validateWorkloadsSearch } from './search';

describe('the address of the list', () => {
  const cases: [string, string, WorkloadsSearch][] = [
    ['is empty for the whole list', '', {}],
    ['says one kind', '?kind=job', { kind: ['job'] }],
    [
      'says several kinds and namespaces',
      '?kind=job&kind=cronjob&namespace=a&namespace=b',
      { kind: ['job', 'cronjob'], namespace: ['a', 'b'] },
    ],
    [
      'says instance, name, page and size',
      '?instance=asia&name=web&after=c1&size=100',
      { instance: 'asia', name: 'web', after: 'c1', size: 100 },
    ],
    ['says the order', '?sort=-age', { sort: '-age' }],
    ['keeps a name that looks like a number a name', '?name=123', { name: '123' }],
  ];
  it.each(cases)('%s', (_, address, want) => {
    const search = validateWorkloadsSearch(parseSearch(address));
    expect(JSON.parse(JSON.stringify(search))).toEqual(want);
    expect(validateWorkloadsSearch(parseSearch(stringifySearch({ ...search })))).toEqual(search);
  });

  it('drops kinds, sizes and orders that there are not', () => {
    const search = validateWorkloadsSearch(parseSearch('?kind=pod&size=9000&sort=state'));
    expect(search.kind).toBeUndefined();
    expect(search.size).toBeUndefined();
    expect(search.sort).toBeUndefined();
  });

  it('survives text that would break an encoded address', () => {
    const name = 'a&b=c#d%?';
    expect(parseSearch(stringifySearch({ name }))).toEqual({ name });
  });
});

describe('the order', () => {
  it.each([
    [undefined, undefined],
    ['age', { field: 'CREATED_AT', direction: 'DESC' }],
    ['-age', { field: 'CREATED_AT', direction: 'ASC' }],
  ])('of %s', (sort, want) => {
    expect(orderByOf({ sort })).toEqual(want);
  });
});

describe('the filter', () => {
  it('is none when nothing is narrowed, so that the cache knows the list again', () => {
    expect(filterOf({})).toBeUndefined();
  });

  it('names instances for the list and not for the feeds, which are of one instance each', () => {
    const search: WorkloadsSearch = { instance: 'asia', kind: ['job', 'deployment'], name: 'Web' };
    expect(filterOf(search)).toEqual({
      instances: ['asia'],
      kinds: ['DEPLOYMENT', 'JOB'],
      nameContains: 'web',
    });
    expect(instanceFilterOf(search)).toEqual({ kinds: ['DEPLOYMENT', 'JOB'], nameContains: 'web' });
  });
});
