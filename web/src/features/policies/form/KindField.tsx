import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useField, useFormView } from './context';
import type { Path } from './document';
import { set } from './document';
import { FieldFrame } from './FieldFrame';
import { choicesOf } from './kinds';
import { TextLeaf, textOf } from './leaves';

/** A kind and its version, of those that the instance serves: they belong together. */
export function KindField({ path }: { path: Path }) {
  const { t } = useTranslation();
  const { kinds, value: policy } = useFormView();
  const version = useField([...path, 'apiVersion']);
  const kind = useField([...path, 'kind']);
  if (!kinds) {
    return (
      <>
        <TextLeaf field={{ is: 'text', label: 'apiVersion' }} path={[...path, 'apiVersion']} />
        <TextLeaf field={{ is: 'text', label: 'kind' }} path={[...path, 'kind']} />
      </>
    );
  }
  const current = { apiVersion: textOf(version.value), kind: textOf(kind.value) };
  const clusterWide = String((policy as { kind?: unknown }).kind).startsWith('Cluster');
  const choices = choicesOf(kinds, current, clusterWide);
  return (
    <FieldFrame field={{ label: 'kind' }} wrong={[...version.said, ...kind.said]}>
      {(control) => (
        <Select<string>
          {...control}
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t('policyForm.field.kind')}
          value={
            choices.find((choice) => choice.kind === current.kind && choice.apiVersion === current.apiVersion)
              ?.value
          }
          options={choices.map(({ value, kind, apiVersion }) => ({
            value,
            label: `${kind} (${apiVersion})`,
          }))}
          onChange={(chosen) => {
            const choice = choices.find(({ value }) => value === chosen);
            if (!choice) return;
            version.policy.change((document) => {
              set(document, [...path, 'apiVersion'], choice.apiVersion);
              set(document, [...path, 'kind'], choice.kind);
            });
          }}
        />
      )}
    </FieldFrame>
  );
}
