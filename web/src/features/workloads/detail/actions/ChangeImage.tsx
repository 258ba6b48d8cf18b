import { Form } from 'antd';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { UpdateImageDocument, WorkloadContainersDocument } from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import { SelectField, TextField } from '../../../../ui/form/Field';
import { Loading } from '../why/Loading';
import type { Container } from './actions';
import { containersOf, isImage } from './actions';

interface ChangeImageProps {
  workload: WorkloadDetailFragment;
  close: () => void;
}

/** Changes the image of one container of the template, as it is now. */
export function ChangeImage({ workload, close }: ChangeImageProps) {
  const { t } = useTranslation();
  const { id, name } = workload;
  const [{ data, error, fetching }, read] = useQuery({
    query: WorkloadContainersDocument,
    variables: { id },
    requestPolicy: 'network-only',
  });
  const form = data?.node && 'form' in data.node ? data.node.form : null;
  if (!form) {
    return (
      <Loading
        title={t('workloadAction.setImage.title', { name })}
        close={close}
        error={error}
        wrong={!fetching && data ? t('workloadAction.noContainers') : undefined}
        retry={() => read({ requestPolicy: 'network-only' })}
      />
    );
  }
  return <ImageDialog workload={workload} close={close} containers={containersOf(form)} />;
}

interface Values {
  container: string;
  image: string;
}

/** Changes the image of one of some containers. */
export function ImageDialog({
  workload,
  containers,
  close,
}: ChangeImageProps & { containers: readonly Container[] }) {
  const { t } = useTranslation();
  const { id, uid, name } = workload;
  const [first] = containers;
  const initial: Values = { container: first?.name ?? '', image: first?.image ?? '' };
  const input = ({ container, image }: Values) => ({ id, uid, container, image });
  return (
    <ActionDialog
      open
      close={close}
      title={t('workloadAction.setImage.title', { name })}
      name="set-image"
      action={{
        document: UpdateImageDocument,
        payload: (data) => data.updateWorkloadImage,
        done: (_, input) => t('workloadAction.setImage.done', { image: input.image }),
        failed: t('workloadAction.setImage.failed'),
        undo: (_, input) => {
          const before = containers.find(({ name }) => name === input.container)?.image;
          return before && before !== input.image ? { ...input, image: before } : undefined;
        },
      }}
      initial={initial}
      input={input}
      rehearsal={{
        label: t('workloadAction.tryFirst'),
        input: (values) => ({ ...input(values), dryRun: true }),
        passed: t('action.accepted'),
      }}
      submit={t('workloadAction.setImage.submit')}
      lead={t('workloadAction.setImage.lead')}
    >
      <SelectField
        name="container"
        label={t('workloadAction.container')}
        options={containers.map(({ name, init }) => ({
          value: name,
          label: init ? t('workloadAction.initContainer', { name }) : name,
        }))}
      />
      <TextField
        name="image"
        label={t('workloadAction.setImage.image')}
        hint={<ImageNow containers={containers} />}
        check={(typed) => (isImage(typed) ? null : t('workloadAction.setImage.badImage'))}
      />
    </ActionDialog>
  );
}

/** The image of the container that is chosen, as it is now: it also stands in the field, to be changed there. */
function ImageNow({ containers }: { containers: readonly Container[] }) {
  const { t } = useTranslation();
  const form = Form.useFormInstance<Values>();
  const chosen = Form.useWatch<string | undefined>('container', form);
  const shown = useRef<string | undefined>(undefined);
  const image = containers.find(({ name }) => name === chosen)?.image ?? '';
  useEffect(() => {
    if (chosen === undefined) return;
    if (shown.current !== undefined && shown.current !== chosen) form.setFieldsValue({ image });
    shown.current = chosen;
  }, [form, chosen, image]);
  return (
    <span className="wrap" data-image-now>
      {t('workloadAction.imageNow', { image })}
    </span>
  );
}
