import { Button, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { useField } from './context';
import type { Pair } from './document';
import { append, set, setPairs } from './document';
import { Wrong } from './FieldFrame';
import type { FieldProps } from './leaves';
import { listOf, textOf } from './leaves';
import { pairsSay, wrongPairs } from './pairs';

/** Labels and the like. Rows that make no object yet, such as one without a key, stay beside it. */
export function PairsLeaf({ field, path }: FieldProps) {
  const { t } = useTranslation();
  const { value, said, drafted, policy } = useField(path);
  const label = t(`policyForm.field.${field.label}`);
  const typed = drafted?.typed as readonly Pair[] | undefined;
  const held = pairsOf(value);
  const rows = typed && (drafted?.open || pairsSay(typed, held)) ? typed : held;
  const wrong = wrongPairs(rows);
  const write = (rows: readonly Pair[]) => {
    const open = wrongPairs(rows) !== null;
    policy.draft(path, { typed: rows, open });
    if (!open) policy.change((document) => setPairs(document, path, rows));
  };
  const edit = (index: number, change: Partial<Pair>) =>
    write(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  return (
    <fieldset className="pairs-field is-wide">
      <legend>{label}</legend>
      {rows.map((row, index) => (
        <div key={index} className="pair-row">
          <Input
            aria-label={t('form.keyOf', { label, row: index + 1 })}
            placeholder={t('form.key')}
            autoComplete="off"
            spellCheck={false}
            status={row.key === '' ? 'error' : undefined}
            value={row.key}
            onChange={({ target }) => edit(index, { key: target.value })}
          />
          <Input
            aria-label={t('form.valueOf', { label, row: index + 1 })}
            placeholder={t('form.value')}
            autoComplete="off"
            spellCheck={false}
            value={row.value}
            onChange={({ target }) => edit(index, { value: target.value })}
          />
          <Button
            type="text"
            aria-label={t('form.remove', { label, row: index + 1 })}
            onClick={() => write(rows.filter((_, at) => at !== index))}
          >
            ✕
          </Button>
        </div>
      ))}
      <Button
        size="small"
        aria-label={`${t('policyForm.add.pair')}: ${label}`}
        onClick={() => write([...rows, { key: '', value: '' }])}
      >
        {t('policyForm.add.pair')}
      </Button>
      <Wrong
        said={
          wrong
            ? [
                wrong.key === '' ? t('policyForm.keyMissing') : t('policyForm.keyTwice', { key: wrong.key }),
                ...said,
              ]
            : said
        }
      />
    </fieldset>
  );
}

function pairsOf(value: unknown): Pair[] {
  return Object.entries((value ?? {}) as Record<string, unknown>).map(([key, value]) => ({
    key,
    value: textOf(value),
  }));
}

/** Lines in their order, equal ones included: arguments of a container. */
export function LinesLeaf({ field, path }: FieldProps) {
  const { t } = useTranslation();
  const { value, said, policy } = useField(path);
  const label = t(`policyForm.field.${field.label}`);
  return (
    <fieldset className="pairs-field is-wide">
      <legend>{label}</legend>
      {listOf(value).map((line, index) => (
        <div key={index} className="pf-line">
          <Input
            className="mono"
            aria-label={t('policyForm.item', { label, n: index + 1 })}
            autoComplete="off"
            spellCheck={false}
            value={line}
            onChange={({ target }) =>
              policy.change((document) => set(document, [...path, index], target.value))
            }
          />
          <Button
            type="text"
            aria-label={t('form.remove', { label, row: index + 1 })}
            onClick={() => policy.remove([...path, index])}
          >
            ✕
          </Button>
        </div>
      ))}
      <Button size="small" onClick={() => policy.change((document) => append(document, path, ''))}>
        {t('policyForm.add.line')}
      </Button>
      <Wrong said={said} />
    </fieldset>
  );
}
