import { useTranslation } from 'react-i18next';
import { canScale } from '../../../app/kinds';
import { SuggestField, TextField } from '../../../ui/form/Field';
import { isNamespace, replicasOf } from '../../../ui/typed';
import { isObjectName } from './checks';
import { useEditing } from './context';
import { nameOfKind } from './manifest';
import { Labels } from './Pairs';

/** What it is called, and how many there are. */
export function Basics({ namespaces }: { namespaces: readonly string[] | null }) {
  const { t } = useTranslation();
  const { kind, exists } = useEditing();
  return (
    <fieldset className="setting">
      <legend>{t('compose.basics')}</legend>
      {!exists && (
        <div className="field-row">
          <TextField
            name="name"
            label={t('compose.name')}
            check={(typed) =>
              typed === '' ? t('compose.needed') : isObjectName(typed) ? null : t('compose.notAName')
            }
          />
          <SuggestField
            name="namespace"
            label={t('compose.namespace')}
            suggestions={namespaces ?? []}
            check={(typed) => {
              if (typed === '') return t('compose.needed');
              if (!isNamespace(typed)) return t('compose.notANamespace');
              return namespaces && !namespaces.includes(typed)
                ? t('compose.namespaceNotYours', { namespace: typed })
                : null;
            }}
          />
        </div>
      )}
      {canScale(nameOfKind(kind)) && (
        <TextField
          numeric
          name={['form', 'replicas']}
          label={t('compose.replicas')}
          check={(typed) =>
            typed === '' || replicasOf(typed) !== null ? null : t('compose.notReplicas', { typed })
          }
        />
      )}
      <details className="more-fields">
        <summary>
          {t('compose.labels')}, {t('compose.annotations')}
        </summary>
        <div className="action">
          <Labels name={['form', 'labels']} label={t('compose.labels')} add={t('compose.addLabel')} />
          <Labels
            annotations
            name={['form', 'annotations']}
            label={t('compose.annotations')}
            add={t('compose.addAnnotation')}
          />
          <Labels
            name={['form', 'podLabels']}
            label={t('compose.podLabels')}
            hint={t(exists ? 'compose.podLabelsFixed' : 'compose.podLabelsHint')}
            add={t('compose.addLabel')}
          />
        </div>
      </details>
    </fieldset>
  );
}
