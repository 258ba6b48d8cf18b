import { Button, Checkbox, Form, Input, Select } from 'antd';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldName } from './Field';

/** One row: whatever its columns read and write. */
export type Row = Readonly<Record<string, unknown>>;

/** One input of a row. */
export interface Column {
  id: string;
  label: string;
  get: (row: Row) => string | boolean | readonly string[] | undefined;
  set: (row: Row, value: string | boolean | string[] | undefined) => Row;
  /** One of these. */
  options?: readonly { value: string; label: string }[];
  /** Yes or no. */
  flag?: boolean;
  /** Several texts, one a line. */
  lines?: boolean;
  /** Whether the row has it; it does without. */
  when?: (row: Row) => boolean;
}

/** A column that stands in the row under a path. */
export function column(path: string, label: string, more: Partial<Column> = {}): Column {
  const steps = path.split('.');
  return {
    id: path,
    label,
    get: (row) =>
      steps.reduce<unknown>((at, step) => (isRow(at) ? at[step] : undefined), row) as ReturnType<
        Column['get']
      >,
    set: (row, value) => put(row, steps, value === '' ? undefined : value),
    ...more,
  };
}

function isRow(at: unknown): at is Row {
  return typeof at === 'object' && at !== null && !Array.isArray(at);
}

function put(row: Row, steps: readonly string[], value: unknown): Row {
  const [step = '', ...rest] = steps;
  const before = row[step];
  return { ...row, [step]: rest.length === 0 ? value : put(isRow(before) ? before : {}, rest, value) };
}

interface RowsFieldProps {
  /** Its name in the form: a list of rows. */
  name: FieldName;
  label: string;
  hint?: ReactNode;
  columns: readonly Column[];
  add: string;
  /** What a new row holds. */
  fresh?: Row;
  /** What is wrong with a row; null when nothing is. */
  check?: (row: Row, rows: readonly Row[], index: number) => string | null;
}

/** Rows of a few inputs each, which come and go: ports, variables, volumes. */
export function RowsField({ name, label, hint, check, ...rows }: RowsFieldProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="pairs-field">
      <legend>{label}</legend>
      {hint && <p className="muted small">{hint}</p>}
      <Form.Item
        name={name}
        rules={
          check && [
            {
              validator: (_, typed?: readonly Row[]) => {
                const wrong = (typed ?? []).flatMap((row, index) => {
                  const why = check(row, typed ?? [], index);
                  return why === null ? [] : [t('form.inRow', { row: index + 1, why })];
                });
                return wrong.length === 0 ? Promise.resolve() : Promise.reject(new Error(wrong.join(' ')));
              },
            },
          ]
        }
      >
        <RowsInput label={label} {...rows} />
      </Form.Item>
    </fieldset>
  );
}

interface RowsInputProps extends Pick<RowsFieldProps, 'label' | 'columns' | 'add' | 'fresh'> {
  value?: readonly Row[];
  onChange?: (rows: readonly Row[]) => void;
}

function RowsInput({ label, columns, add, fresh = {}, value = [], onChange }: RowsInputProps) {
  const { t } = useTranslation();
  return (
    <div className="rows">
      {value.map((row, index) => (
        // Rows have no names of their own: the place is what they are known by.
        <div key={index} className="row">
          <RowInputs
            of={`${label} ${index + 1}`}
            columns={columns}
            row={row}
            change={(changed) => onChange?.(value.map((other, at) => (at === index ? changed : other)))}
          />
          <Button
            type="text"
            aria-label={t('form.remove', { label, row: index + 1 })}
            onClick={() => onChange?.(value.filter((_, at) => at !== index))}
          >
            ✕
          </Button>
        </div>
      ))}
      <Button size="small" onClick={() => onChange?.([...value, fresh])}>
        {add}
      </Button>
    </div>
  );
}

interface RowFieldProps {
  name: FieldName;
  label: string;
  columns: readonly Column[];
}

/** One thing of several inputs, which depend on each other. */
export function RowField({ name, label, columns }: RowFieldProps) {
  return (
    <fieldset className="pairs-field">
      <legend>{label}</legend>
      <Form.Item name={name}>
        <RowInput label={label} columns={columns} />
      </Form.Item>
    </fieldset>
  );
}

interface RowInputProps {
  label: string;
  columns: readonly Column[];
  value?: Row;
  onChange?: (row: Row) => void;
}

function RowInput({ label, columns, value = {}, onChange }: RowInputProps) {
  return (
    <div className="row">
      <RowInputs of={label} columns={columns} row={value} change={(row) => onChange?.(row)} />
    </div>
  );
}

interface RowInputsProps {
  of: string;
  columns: readonly Column[];
  row: Row;
  change: (row: Row) => void;
}

function RowInputs({ of, columns, row, change }: RowInputsProps) {
  return (
    <div className="row-inputs">
      {columns
        .filter(({ when }) => !when || when(row))
        .map((column) => (
          <Cell
            key={column.id}
            of={of}
            column={column}
            value={column.get(row)}
            change={(value) => change(column.set(row, value))}
          />
        ))}
    </div>
  );
}

interface CellProps {
  of: string;
  column: Column;
  value: ReturnType<Column['get']>;
  change: (value: string | boolean | string[] | undefined) => void;
}

function Cell({ of, column, value, change }: CellProps) {
  const { label, options, flag, lines } = column;
  const name = `${of}: ${label}`;
  if (flag) {
    return (
      <Checkbox checked={value === true} onChange={({ target }) => change(target.checked || undefined)}>
        <span className="sr-only">{of}: </span>
        {label}
      </Checkbox>
    );
  }
  if (options) {
    return (
      <Select<string>
        aria-label={name}
        placeholder={label}
        allowClear={!options.some((option) => option.value === '')}
        value={typeof value === 'string' ? value : undefined}
        options={[...options]}
        popupMatchSelectWidth={false}
        onChange={(chosen?: string) => change(chosen)}
      />
    );
  }
  if (lines) {
    return (
      <LinesInput
        label={name}
        placeholder={label}
        value={typeof value === 'object' ? value : []}
        onChange={change}
      />
    );
  }
  return (
    <Input
      aria-label={name}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => change(target.value)}
    />
  );
}

interface LinesInputProps {
  id?: string;
  label?: string;
  placeholder?: string;
  value?: readonly string[];
  onChange?: (lines: string[] | undefined) => void;
}

/** Several texts, one a line. Those that have lines of their own cannot stand there. */
export function LinesInput({ id, label, placeholder, value = [], onChange }: LinesInputProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value.join('\n'));
  const text = same(linesOf(typed), value) ? typed : value.join('\n');
  if (value.some((line) => line.includes('\n'))) {
    return <p className="muted small">{t('form.linesWithin')}</p>;
  }
  return (
    <Input.TextArea
      id={id}
      aria-label={label}
      placeholder={placeholder}
      className="mono"
      // Ant Design's own measuring writes a style into the page, which the page's policy forbids.
      rows={Math.min(8, text.split('\n').length)}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange?.(linesOf(target.value));
      }}
    />
  );
}

/** A line that was only begun is none yet. */
function linesOf(typed: string): string[] {
  const lines = typed.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

/** A field of several texts, one a line. */
export function LinesField({ name, label, hint }: { name: FieldName; label: string; hint?: ReactNode }) {
  return (
    <Form.Item name={name} label={label} extra={hint}>
      <LinesInput />
    </Form.Item>
  );
}
