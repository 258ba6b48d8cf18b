import { Form } from 'antd';
import { useMemo, useState } from 'react';
import type { WorkloadKind } from '../../../graph/generated/graphql';
import type { JsonObject, Values } from './codec';
import type { Named } from './manifest';
import { laid, namedIn, parse, rewritten, skeletonOf, textOf, turnedInto, valuesOf } from './manifest';
import type { OverrideValues, PlacementValues } from './placement';

/** What somebody has entered so far. */
export interface Draft {
  text: string;
  placement: PlacementValues;
  overrides: OverrideValues[];
}

/** The values of the form, under the names that the mutation's input has. */
export interface FormValues extends Named {
  form: Values;
  placement: PlacementValues;
  overrides: OverrideValues[];
}

interface Good {
  kind: WorkloadKind;
  object: JsonObject;
}

/** A form and an editor of one manifest: what is changed in one is changed in the other. */
export function useManifestForm(start: Draft, keep: (draft: Draft) => void) {
  const [form] = Form.useForm<FormValues>();
  const [draft, setDraft] = useState(start);
  const parsed = useMemo(() => parse(draft.text), [draft.text]);
  // While the text is no manifest, the form shows what it was before.
  const [good, setGood] = useState<Good>(() => goodOf(start.text));

  const put = (next: Draft) => {
    keep(next);
    setDraft(next);
  };
  const show = (kind: WorkloadKind, object: JsonObject) => {
    setGood({ kind, object });
    form.setFieldValue('form', valuesOf(kind, object));
    form.setFieldsValue(namedIn(object));
  };

  /** The form was changed. */
  const changed = () => {
    const values = form.getFieldsValue(true) as FormValues;
    const { name, namespace, placement, overrides } = values;
    const object = laid(good.kind, good.object, values.form, { name, namespace });
    setGood({ kind: good.kind, object });
    put({ text: rewritten(draft.text, good.object, object), placement, overrides });
  };
  /** The text was changed. */
  const type = (text: string) => {
    if (text === draft.text) return;
    put({ ...draft, text });
    const now = parse(text);
    if (now.ok) show(now.kind, now.object);
  };
  const turn = (kind: WorkloadKind) => {
    const object = turnedInto(kind, valuesOf(good.kind, good.object), namedIn(good.object));
    put({ ...draft, text: textOf(object) });
    show(kind, object);
  };
  const begin = (anew: Draft) => {
    put(anew);
    const { kind, object } = goodOf(anew.text);
    show(kind, object);
    form.setFieldValue('placement', anew.placement);
    form.setFieldValue('overrides', anew.overrides);
  };

  return { form, draft, parsed, ...good, changed, type, turn, begin, initial: initialOf(start) };
}

export type ManifestForm = ReturnType<typeof useManifestForm>;

function goodOf(text: string): Good {
  const parsed = parse(text);
  if (parsed.ok) return parsed;
  return { kind: 'DEPLOYMENT', object: skeletonOf('DEPLOYMENT', { name: '', namespace: '' }) };
}

function initialOf({ text, placement, overrides }: Draft): FormValues {
  const { kind, object } = goodOf(text);
  return { ...namedIn(object), form: valuesOf(kind, object), placement, overrides };
}
