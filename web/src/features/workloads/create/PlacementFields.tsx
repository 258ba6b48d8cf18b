import { Form } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../../app/fleet';
import { CheckField, RadioField, SelectField, TextField, WordsField } from '../../../ui/form/Field';
import { Labels } from './Pairs';
import type { PlacementValues } from './placement';
import { DIVISIONS, weightOf } from './placement';

/** The names of the members of an instance. */
export function useMembers(instance: string): string[] {
  const { instances } = useFleet();
  return useMemo(
    () => instances?.find(({ name }) => name === instance)?.clusters?.nodes.map(({ name }) => name) ?? [],
    [instances, instance],
  );
}

/** Which clusters it goes to, and how its replicas come to them. */
export function Placement({ instance, hasReplicas }: { instance: string; hasReplicas: boolean }) {
  const { t } = useTranslation();
  const form = Form.useFormInstance();
  const placement = Form.useWatch('placement', { form, preserve: true }) as PlacementValues | undefined;
  const members = useMembers(instance);
  return (
    <fieldset className="setting">
      <legend>{t('compose.placement')}</legend>
      <RadioField
        name={['placement', 'by']}
        label={t('compose.by')}
        options={[
          { value: 'own', label: t('compose.byOwn') },
          { value: 'existing', label: t('compose.byExisting') },
        ]}
      />
      {placement?.by !== 'existing' && (
        <>
          <WordsField
            name={['placement', 'clusters']}
            label={t('compose.clusters')}
            hint={t('compose.clustersHint')}
            suggestions={members}
          />
          <Labels
            name={['placement', 'labels']}
            label={t('compose.clusterLabels')}
            add={t('compose.addClusterLabel')}
          />
          {hasReplicas && (
            <SelectField
              name={['placement', 'division']}
              label={t('compose.division')}
              options={DIVISIONS.map((value) => ({ value, label: t(`compose.divisions.${value}`) }))}
            />
          )}
          {hasReplicas && placement?.division === 'STATIC' && (
            <div className="field-row">
              {placement.clusters.map((cluster) => (
                <TextField
                  key={cluster}
                  numeric
                  name={['placement', 'weights', cluster]}
                  label={t('compose.weightOf', { cluster })}
                  check={(typed) => (weightOf(typed) === null ? t('compose.notAWeight', { typed }) : null)}
                />
              ))}
            </div>
          )}
          <CheckField name={['placement', 'dependencies']} label={t('compose.dependencies')} />
        </>
      )}
    </fieldset>
  );
}
