import { Button, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { LinesField } from '../../../ui/form/RowsField';
import { SelectField, TextField, WordsField } from '../../../ui/form/Field';
import { replicasOf } from '../../../ui/typed';
import type { Values } from './codec';
import { rowsOf } from './codec';
import { Env } from './Containers';
import { useEditing } from './context';
import { Labels, Quantities } from './Pairs';
import { useMembers } from './PlacementFields';

interface OverridesProps {
  instance: string;
  hasReplicas: boolean;
}

/** What is different in some clusters. */
export function Overrides({ instance, hasReplicas }: OverridesProps) {
  const { t } = useTranslation();
  const form = Form.useFormInstance();
  const { changed } = useEditing();
  const overrides = rowsOf(Form.useWatch('overrides', { form, preserve: true }) as Values[]);
  const put = (next: (overrides: Values[]) => Values[]) => {
    form.setFieldValue('overrides', next(rowsOf(form.getFieldValue('overrides') as Values[])));
    changed();
  };
  return (
    <fieldset className="setting">
      <legend>{t('compose.overrides')}</legend>
      <p className="muted small">{t('compose.overridesHint')}</p>
      {overrides.map((override, index) => (
        <section key={index} className="sub-form" aria-label={t('compose.override', { row: index + 1 })}>
          <div className="sub-head">
            <h2>{t('compose.override', { row: index + 1 })}</h2>
            <Button
              type="text"
              size="small"
              onClick={() => put((now) => now.filter((_, at) => at !== index))}
            >
              {t('compose.removeOverride', { row: index + 1 })}
            </Button>
          </div>
          <Override
            instance={instance}
            index={index}
            hasReplicas={hasReplicas}
            containers={rowsOf(override.containers)}
            put={(next) =>
              put((now) =>
                now.map((other, at) =>
                  at === index ? { ...other, containers: next(rowsOf(other.containers)) } : other,
                ),
              )
            }
          />
        </section>
      ))}
      <Button size="small" onClick={() => put((now) => [...now, { clusters: [] }])}>
        {t('compose.addOverride')}
      </Button>
    </fieldset>
  );
}

interface OverrideProps extends OverridesProps {
  index: number;
  containers: Values[];
  put: (next: (containers: Values[]) => Values[]) => void;
}

function Override({ instance, index, hasReplicas, containers, put }: OverrideProps) {
  const { t } = useTranslation();
  const members = useMembers(instance);
  const known = useContainerNames();
  const at = (...path: (string | number)[]) => ['overrides', index, ...path];
  return (
    <>
      <WordsField name={at('clusters')} label={t('compose.clusters')} suggestions={members} />
      {hasReplicas && (
        <TextField
          numeric
          name={at('replicas')}
          label={t('compose.replicas')}
          check={(typed) =>
            typed === '' || replicasOf(typed) !== null ? null : t('compose.notReplicas', { typed })
          }
        />
      )}
      <Labels name={at('labels')} label={t('compose.labels')} add={t('compose.addLabel')} />
      {containers.map((_, row) => (
        <fieldset key={row} className="sub-form">
          <legend>{t('compose.overrideContainer', { override: index + 1, row: row + 1 })}</legend>
          <ContainerOverride at={(...path) => at('containers', row, ...path)} known={known} />
          <Button
            type="text"
            size="small"
            onClick={() => put((now) => now.filter((_, other) => other !== row))}
          >
            {t('form.remove', { label: t('compose.overrideContainers'), row: row + 1 })}
          </Button>
        </fieldset>
      ))}
      <Button size="small" onClick={() => put((now) => [...now, { name: known[now.length] ?? known[0] }])}>
        {t('compose.addOverrideContainer')}
      </Button>
    </>
  );
}

/** The containers that the form has, by name. */
function useContainerNames(): string[] {
  const form = Form.useFormInstance();
  const containers = rowsOf(Form.useWatch(['form', 'containers'], { form, preserve: true }) as Values[]);
  const init = rowsOf(Form.useWatch(['form', 'initContainers'], { form, preserve: true }) as Values[]);
  return [...containers, ...init]
    .map(({ name }) => name)
    .filter((name): name is string => typeof name === 'string' && name !== '');
}

interface ContainerOverrideProps {
  at: (...path: (string | number)[]) => (string | number)[];
  known: readonly string[];
}

function ContainerOverride({ at, known }: ContainerOverrideProps) {
  const { t } = useTranslation();
  return (
    <div className="action">
      <div className="field-row">
        <SelectField
          name={at('name')}
          label={t('compose.name')}
          options={known.map((name) => ({ value: name, label: name }))}
        />
        <TextField name={at('image')} label={t('compose.image')} />
      </div>
      <Env name={at('env')} />
      <LinesField name={at('args')} label={t('compose.args')} hint={t('compose.linesHint')} />
      <div className="field-row">
        <Quantities
          name={at('resources', 'requests')}
          label={t('compose.requests')}
          add={t('compose.addResource')}
        />
        <Quantities
          name={at('resources', 'limits')}
          label={t('compose.limits')}
          add={t('compose.addResource')}
        />
      </div>
    </div>
  );
}
