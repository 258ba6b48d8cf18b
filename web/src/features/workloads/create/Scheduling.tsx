import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { LinesField, column, RowsField } from '../../../ui/form/RowsField';
import { TextField } from '../../../ui/form/Field';
import { nodeTermColumns } from './affinity';
import { Labels } from './Pairs';
import { Whole } from './Whole';

const options = (...words: [string, string][]) => words.map(([value, label]) => ({ value, label }));

/** Which nodes of a cluster its pods go to, and as whom they run. */
export function Scheduling() {
  const { t } = useTranslation();
  const tolerations = useMemo(
    () => [
      column('key', t('compose.key')),
      column('operator', t('compose.operator'), {
        options: options(['EQUAL', 'Equal'], ['EXISTS', 'Exists']),
      }),
      column('value', t('compose.value'), { when: ({ operator }) => operator !== 'EXISTS' }),
      column('effect', t('compose.effect'), {
        options: [
          { value: '', label: t('compose.anyEffect') },
          ...options(
            ['NO_SCHEDULE', 'NoSchedule'],
            ['PREFER_NO_SCHEDULE', 'PreferNoSchedule'],
            ['NO_EXECUTE', 'NoExecute'],
          ),
        ],
        get: ({ effect }) => (typeof effect === 'string' ? effect : ''),
      }),
      column('tolerationSeconds', t('compose.tolerationSeconds'), {
        when: ({ effect }) => effect === 'NO_EXECUTE',
      }),
    ],
    [t],
  );
  const terms = useMemo(
    () => ({ required: nodeTermColumns(t, false), preferred: nodeTermColumns(t, true) }),
    [t],
  );
  return (
    <details className="more-fields">
      <summary>{t('compose.scheduling')}</summary>
      <div className="action">
        <Labels
          name={['form', 'nodeSelector']}
          label={t('compose.nodeSelector')}
          add={t('compose.addNodeLabel')}
        />
        <RowsField
          name={['form', 'tolerations']}
          label={t('compose.tolerations')}
          columns={tolerations}
          add={t('compose.addToleration')}
          fresh={{ operator: 'EQUAL' }}
        />
        <RowsField
          name={['form', 'affinity', 'nodeAffinity', 'required']}
          label={t('compose.requiredNodes')}
          hint={t('compose.firstOfEach')}
          columns={terms.required}
          add={t('compose.addTerm')}
          fresh={{ matchExpressions: [{ operator: 'IN' }] }}
        />
        <RowsField
          name={['form', 'affinity', 'nodeAffinity', 'preferred']}
          label={t('compose.preferredNodes')}
          columns={terms.preferred}
          add={t('compose.addTerm')}
          fresh={{ weight: '1', preference: { matchExpressions: [{ operator: 'IN' }] } }}
        />
        <div className="field-row">
          <TextField name={['form', 'serviceAccountName']} label={t('compose.serviceAccountName')} />
          <TextField name={['form', 'priorityClassName']} label={t('compose.priorityClassName')} />
        </div>
        <div className="field-row">
          <LinesField
            name={['form', 'imagePullSecrets']}
            label={t('compose.imagePullSecrets')}
            hint={t('compose.linesHint')}
          />
          <Whole
            name={['form', 'terminationGracePeriodSeconds']}
            label={t('compose.terminationGracePeriodSeconds')}
          />
        </div>
      </div>
    </details>
  );
}
