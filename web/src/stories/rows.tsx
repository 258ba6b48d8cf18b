import { Form } from 'antd';
import { column, RowsField } from '../ui/form/RowsField';
import type { Row } from '../ui/form/RowsField';
import type { Story } from './story';

const LONG = 'a-name-as-long-as-somebody-may-choose-for-a-variable-of-an-environment';

const COLUMNS = [
  column('name', 'Name'),
  column('kind', 'Kind', {
    options: [
      { value: 'one', label: 'One' },
      { value: 'many', label: 'Many' },
    ],
  }),
  column('value', 'Value', { when: ({ kind }) => kind !== 'many' }),
  column('values', 'Values', { lines: true, when: ({ kind }) => kind === 'many' }),
  column('kept', 'Kept', { flag: true }),
];

function rows(initial: readonly Row[]) {
  return (
    <Form className="action" layout="vertical" name="rows" initialValues={{ fruit: initial }}>
      <RowsField
        name="fruit"
        label="Fruit"
        hint="As many as there are."
        columns={COLUMNS}
        add="Add fruit"
        check={({ name }) => (name ? null : 'A name is needed.')}
      />
    </Form>
  );
}

export const ROWS_STORIES: Story[] = [
  { of: 'RowsField', state: 'empty', render: () => rows([]) },
  {
    of: 'RowsField',
    state: 'filled',
    render: () =>
      rows([
        { name: 'apple', kind: 'one', value: 'red', kept: true },
        { name: 'pear', kind: 'many', values: ['green', 'yellow'] },
      ]),
  },
  {
    of: 'RowsField',
    state: 'long content',
    render: () =>
      rows([
        { name: LONG, value: LONG },
        { kind: 'many', values: ['two\nlines'] },
      ]),
  },
];
