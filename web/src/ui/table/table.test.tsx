// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startLanguage } from '../../i18n';
import type { Fruit } from '../../stories/fixtures';
import { fruit, TABLE } from '../../stories/fixtures';
import { Stage } from '../../stories/Stage';
import { ColumnChoice } from './ColumnChoice';
import type { DataColumn } from './columns';
import { DataTable } from './DataTable';
import { compareValues, orderOf, sortOf, sortText, useTableOrder } from './order';

beforeAll(startLanguage);
beforeEach(() => localStorage.clear());
afterEach(cleanup);

const show = (render_: () => React.ReactNode, search?: string) =>
  render(<Stage story={{ of: 'DataTable', state: 'test', render: render_, search }} />);

const cells = (column: string) =>
  [...document.querySelectorAll(`tbody .col-${column}`)].map((cell) => cell.textContent);

function Sortable() {
  const { order, reorder } = useTableOrder();
  return <DataTable {...TABLE} rows={fruit(5)} empty={null} order={order} reorder={reorder} />;
}

describe('the order of a table', () => {
  it.each([
    ['crates', { column: 'crates', descending: false }],
    ['-crates', { column: 'crates', descending: true }],
    [undefined, undefined],
  ])('is said by an address as %s', (sort, order) => {
    expect(orderOf(sort)).toEqual(order);
    expect(sortText(order)).toBe(sort);
  });

  it('is only that of a column that has one', () => {
    expect([sortOf('-crates', ['crates']), sortOf('weight', ['crates']), sortOf(3, [])]).toEqual([
      '-crates',
      undefined,
      undefined,
    ]);
  });

  it('compares numbers by size and words by code point', () => {
    expect([9, 100, 11].sort(compareValues)).toEqual([9, 11, 100]);
    expect(['b', 'B', 'a'].sort(compareValues)).toEqual(['B', 'a', 'b']);
  });

  it('goes up, down and back by its heading, and what is not known stands last', async () => {
    show(() => <Sortable />);
    const heading = await screen.findByRole('button', { name: /^Crates/ });
    const given = ['0', '37', '74', '11', '–'];
    expect(cells('crates')).toEqual(given);
    fireEvent.click(heading);
    await waitFor(() => expect(cells('crates')).toEqual(['0', '11', '37', '74', '–']));
    fireEvent.click(screen.getByRole('button', { name: /^Crates/ }));
    await waitFor(() => expect(cells('crates')).toEqual(['74', '37', '11', '0', '–']));
    expect(screen.getByRole('columnheader', { name: /^Crates/ }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    fireEvent.click(screen.getByRole('button', { name: /^Crates/ }));
    await waitFor(() => expect(cells('crates')).toEqual(given));
  });

  it('is the server’s where the rows come sorted', async () => {
    show(() => (
      <DataTable
        {...TABLE}
        rows={fruit(3)}
        empty={null}
        sorted
        order={{ column: 'crates', descending: true }}
        reorder={() => {}}
      />
    ));
    await screen.findByRole('table');
    expect(cells('crates')).toEqual(['0', '37', '74']);
  });
});

it('hides the columns that somebody does not want to see, and remembers it', async () => {
  const page = () => (
    <>
      <ColumnChoice {...TABLE} />
      <DataTable {...TABLE} rows={fruit(2)} empty={null} />
    </>
  );
  show(page);
  fireEvent.click(await screen.findByRole('button', { name: 'Columns' }));
  const choice = await screen.findByRole('dialog', { name: 'Columns' });
  expect(within(choice).getByRole<HTMLInputElement>('checkbox', { name: 'Name' }).disabled).toBe(true);
  fireEvent.click(within(choice).getByRole('checkbox', { name: 'Origin' }));
  await waitFor(() => expect(cells('origin')).toEqual([]));
  expect(cells('name')).toEqual(['apple', 'banana']);
  cleanup();
  show(page);
  await screen.findByRole('table');
  expect(screen.queryByRole('columnheader', { name: 'Origin' })).toBeNull();
});

it('moves between rows and their links by arrow keys', async () => {
  const links: DataColumn<Fruit> = {
    id: 'name',
    header: 'Name',
    namesRow: true,
    cell: ({ name }) => (
      <>
        <a href="#one">{name}</a> <a href="#two">{name} two</a>
      </>
    ),
  };
  const columns = [links];
  show(() => <DataTable {...TABLE} columns={columns} rows={fruit(2)} empty={null} />);
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  (await screen.findByText('apple')).focus();
  press('ArrowRight');
  press('ArrowDown');
  expect(document.activeElement?.textContent).toBe('banana two');
  press('ArrowUp');
  press('ArrowLeft');
  expect(document.activeElement?.textContent).toBe('apple');
});

it('keeps most rows of a long table out of the document, and says how many there are', async () => {
  show(() => <DataTable {...TABLE} rows={fruit(500)} empty={null} />);
  const table = await screen.findByRole('table');
  expect(table.getAttribute('aria-rowcount')).toBe('501');
  expect(cells('name').length).toBeLessThan(100);
});
