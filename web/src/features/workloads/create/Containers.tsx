import { Button, Form } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField, TextField } from '../../../ui/form/Field';
import type { Row } from '../../../ui/form/RowsField';
import { column, LinesField, RowField, RowsField } from '../../../ui/form/RowsField';
import { isWhole } from './checks';
import type { Values } from './codec';
import { rowsOf } from './codec';
import { useEditing } from './context';
import { envColumns, envFromColumns, probeColumns } from './envColumns';
import { Quantities } from './Pairs';

type List = 'containers' | 'initContainers';

/** The containers of the pods: what they run, listen on and need. */
export function Containers() {
  const { t } = useTranslation();
  return (
    <fieldset className="setting">
      <legend>{t('compose.containers')}</legend>
      <ContainerList list="containers" />
      <ContainerList list="initContainers" />
    </fieldset>
  );
}

function ContainerList({ list }: { list: List }) {
  const { t } = useTranslation();
  const form = Form.useFormInstance();
  const { changed } = useEditing();
  const containers = rowsOf(Form.useWatch(['form', list], { form, preserve: true }) as Values[]);
  // As they stand when the button is pressed: what is watched may be a moment behind.
  const put = (next: (containers: Values[]) => Values[]) => {
    form.setFieldValue(['form', list], next(rowsOf(form.getFieldValue(['form', list]) as Values[])));
    changed();
  };
  return (
    <>
      {containers.map((container, index) => (
        <Container
          key={index}
          list={list}
          index={index}
          name={typeof container.name === 'string' && container.name ? container.name : t('compose.unnamed')}
          remove={
            list === 'containers' && containers.length === 1
              ? undefined
              : () => put((now) => now.filter((_, at) => at !== index))
          }
        />
      ))}
      <Button size="small" onClick={() => put((now) => [...now, { name: '', image: '' }])}>
        {t(list === 'containers' ? 'compose.addContainer' : 'compose.addInitContainer')}
      </Button>
    </>
  );
}

interface ContainerProps {
  list: List;
  index: number;
  name: string;
  /** The last one stays: pods have at least one. */
  remove: (() => void) | undefined;
}

const IMAGE = /^\S{1,1024}$/;

function Container({ list, index, name, remove }: ContainerProps) {
  const { t } = useTranslation();
  const { exists } = useEditing();
  const at = (...path: string[]) => ['form', list, index, ...path];
  const title = t(list === 'containers' ? 'compose.container' : 'compose.initContainer', { name });
  return (
    <section className="sub-form" aria-label={title}>
      <div className="sub-head">
        <h2>{title}</h2>
        {remove && (
          <Button type="text" size="small" onClick={remove}>
            {t('compose.removeContainer', { name })}
          </Button>
        )}
      </div>
      <div className="field-row">
        <TextField
          name={at('name')}
          label={t('compose.name')}
          check={(typed) => (typed === '' ? t('compose.needed') : null)}
        />
        <TextField
          name={at('image')}
          label={t('compose.image')}
          check={(typed) =>
            typed === '' ? t('compose.needed') : IMAGE.test(typed) ? null : t('compose.badImage')
          }
        />
      </div>
      <Ports name={at('ports')} />
      <Env name={at('env')} />
      <div className="field-row">
        <Quantities
          name={at('resources', 'requests')}
          label={t('compose.requests')}
          hint={t('compose.requestsHint')}
          add={t('compose.addResource')}
        />
        <Quantities
          name={at('resources', 'limits')}
          label={t('compose.limits')}
          add={t('compose.addResource')}
        />
      </div>
      <details className="more-fields" open={exists || undefined}>
        <summary>{t('compose.more', { name })}</summary>
        <More at={at} init={list === 'initContainers'} />
      </details>
    </section>
  );
}

function Ports({ name }: { name: (string | number)[] }) {
  const { t } = useTranslation();
  const columns = useMemo(
    () => [
      column('containerPort', t('compose.port')),
      column('name', t('compose.name')),
      column('protocol', t('compose.protocol'), {
        options: ['TCP', 'UDP', 'SCTP'].map((value) => ({ value, label: value })),
      }),
    ],
    [t],
  );
  return (
    <RowsField
      name={name}
      label={t('compose.ports')}
      columns={columns}
      add={t('compose.addPort')}
      check={({ containerPort }) =>
        typeof containerPort === 'string' && isWhole(containerPort)
          ? null
          : t('compose.notWhole', { typed: typeof containerPort === 'string' ? containerPort : '' })
      }
    />
  );
}

/** Environment variables, one by one. */
export function Env({ name }: { name: (string | number)[] }) {
  const { t } = useTranslation();
  const columns = useMemo(() => envColumns(t), [t]);
  return (
    <RowsField
      name={name}
      label={t('compose.env')}
      columns={columns}
      add={t('compose.addEnv')}
      check={({ name }: Row, rows, index) => {
        if (typeof name !== 'string' || name === '') return t('compose.needed');
        return rows.findIndex((row) => row.name === name) < index
          ? t('compose.twice', { typed: name })
          : null;
      }}
    />
  );
}

interface MoreProps {
  at: (...path: string[]) => (string | number)[];
  init: boolean;
}

const POLICIES = ['ALWAYS', 'IF_NOT_PRESENT', 'NEVER'] as const;
const POLICY_LABELS = { ALWAYS: 'Always', IF_NOT_PRESENT: 'IfNotPresent', NEVER: 'Never' };

function More({ at, init }: MoreProps) {
  const { t } = useTranslation();
  const columns = useMemo(
    () => ({
      envFrom: envFromColumns(t),
      probe: probeColumns(t),
      mounts: [
        column('mountPath', t('compose.mountPath')),
        column('name', t('compose.volume')),
        column('subPath', t('compose.subPath')),
        column('readOnly', t('compose.readOnly'), { flag: true }),
      ],
    }),
    [t],
  );
  return (
    <div className="action">
      <div className="field-row">
        <LinesField name={at('command')} label={t('compose.command')} hint={t('compose.linesHint')} />
        <LinesField name={at('args')} label={t('compose.args')} hint={t('compose.linesHint')} />
      </div>
      <div className="field-row">
        <TextField name={at('workingDir')} label={t('compose.workingDir')} />
        <SelectField<string>
          name={at('imagePullPolicy')}
          label={t('compose.imagePullPolicy')}
          options={[
            { value: '', label: t('compose.asUsual') },
            ...POLICIES.map((value) => ({ value, label: POLICY_LABELS[value] })),
          ]}
        />
      </div>
      <RowsField
        name={at('envFrom')}
        label={t('compose.envFrom')}
        columns={columns.envFrom}
        add={t('compose.addEnvFrom')}
        fresh={{ configMapRef: {} }}
      />
      <RowsField
        name={at('volumeMounts')}
        label={t('compose.mounts')}
        columns={columns.mounts}
        add={t('compose.addMount')}
        check={({ mountPath, name }) => (mountPath && name ? null : t('compose.needed'))}
      />
      {!init &&
        (['readinessProbe', 'livenessProbe', 'startupProbe'] as const).map((probe) => (
          <RowField key={probe} name={at(probe)} label={t(`compose.${probe}`)} columns={columns.probe} />
        ))}
    </div>
  );
}
