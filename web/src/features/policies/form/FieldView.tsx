import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useField, useFormView } from './context';
import type { Path } from './document';
import { append, isSet, isShown, pathText, valueAt } from './document';
import { isWithin } from './drafts';
import { Wrong } from './FieldFrame';
import { KindField } from './KindField';
import type { FieldProps } from './leaves';
import { ChoiceLeaf, FlagLeaf, JsonLeaf, NumberLeaf, TextLeaf, WordsLeaf } from './leaves';
import { LinesLeaf, PairsLeaf } from './rows';
import type { Field, Fields, List } from './shape';

/** One field, by what it is. */
function FieldView({ field, path }: FieldProps) {
  switch (field.is) {
    case 'group':
      return <GroupField field={field} fields={field.fields} path={path} />;
    case 'list':
      return <ListField field={field} list={field} path={path} />;
    case 'choice':
      return <ChoiceLeaf field={field} path={path} options={field.options} />;
    case 'words':
      return <WordsLeaf field={field} path={path} suggest={field.suggest} />;
    case 'number':
      return <NumberLeaf field={field} path={path} />;
    case 'flag':
      return <FlagLeaf field={field} path={path} />;
    case 'json':
      return <JsonLeaf field={field} path={path} />;
    case 'pairs':
      return <PairsLeaf field={field} path={path} />;
    case 'lines':
      return <LinesLeaf field={field} path={path} />;
    case 'text':
      return <TextLeaf field={field} path={path} />;
  }
}

function GroupField({ field, fields, path }: FieldProps & { fields: Fields }) {
  const { t } = useTranslation();
  const { said } = useField(path);
  const name = t(`policyForm.field.${field.label}`);
  return (
    <fieldset className="pf-group">
      <legend>{name}</legend>
      {field.hint && <p className="muted small">{t(`policyForm.hint.${field.hint}`)}</p>}
      <Wrong said={said} />
      <GroupFields fields={fields} path={path} of={name} />
    </fieldset>
  );
}

function ListField({ field, list, path }: FieldProps & { list: List }) {
  const { t } = useTranslation();
  const { value, said, policy } = useField(path);
  const label = t(`policyForm.field.${field.label}`);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <fieldset className="pf-group">
      <legend>{label}</legend>
      {field.hint && <p className="muted small">{t(`policyForm.hint.${field.hint}`)}</p>}
      <Wrong said={said} />
      {items.map((_, index) => (
        <Item
          key={index}
          fields={list.of.fields}
          path={[...path, index]}
          name={t('policyForm.item', { label, n: index + 1 })}
        />
      ))}
      <Button size="small" onClick={() => policy.change((document) => append(document, path, list.fresh))}>
        {t(`policyForm.add.${list.add}`)}
      </Button>
    </fieldset>
  );
}

function Item({ fields, path, name }: { fields: Fields; path: Path; name: string }) {
  const { t } = useTranslation();
  const { said, policy } = useField(path);
  const what = t('policyForm.remove', { what: name });
  return (
    <fieldset className="pf-item card" data-item={pathText(path)}>
      <legend className="sr-only">{name}</legend>
      <Button
        className="pf-remove"
        type="text"
        size="small"
        aria-label={what}
        title={what}
        onClick={() => policy.remove(path)}
      >
        ✕
      </Button>
      <Wrong said={said} />
      <GroupFields fields={fields} path={path} of={name} />
    </fieldset>
  );
}

interface GroupFieldsProps {
  fields: Fields;
  path: Path;
  /** What the group is called. */
  of: string;
}

/** The fields of a group: those of every day, then the seldom ones folded away. */
export function GroupFields({ fields, path, of }: GroupFieldsProps) {
  const { value } = useField(path);
  const group = (value ?? {}) as Record<string, unknown>;
  const shown = Object.entries(fields).filter(([name, field]) => isShown(field, name, group));
  const often = shown.filter(([, { seldom }]) => !seldom);
  const seldom = shown.filter(([, { seldom }]) => seldom);
  return (
    <div className="pf-fields">
      {viewsOf(often, path)}
      {seldom.length > 0 && <Seldom fields={seldom} path={path} of={of} />}
    </div>
  );
}

function viewsOf(fields: readonly (readonly [string, Field])[], path: Path): ReactNode {
  const isKind = fields.some(([name]) => name === 'apiVersion');
  return fields.map(([name, field]) => {
    if (isKind && name === 'kind') return null;
    if (name === 'apiVersion') return <KindField key={name} path={path} />;
    return <FieldView key={name} field={field} path={[...path, name]} />;
  });
}

function Seldom({
  fields,
  path,
  of,
}: {
  fields: readonly (readonly [string, Field])[];
  path: Path;
  of: string;
}) {
  const { t } = useTranslation();
  const { value, said } = useFormView();
  /** Null until somebody folds it, or unfolds it. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  const wanted = fields.some(([name, { usual }]) => {
    const there = valueAt(value, [...path, name]);
    const key = pathText([...path, name]);
    return (isSet(there) && !usual?.(there)) || [...said.keys()].some((at) => isWithin(at, key));
  });
  const open = chosen ?? wanted;
  return (
    <details className="more-fields is-wide" open={open}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChosen(!open);
        }}
      >
        {t('policyForm.moreOf', { of })}
      </summary>
      {open && <div className="pf-fields">{viewsOf(fields, path)}</div>}
    </details>
  );
}
