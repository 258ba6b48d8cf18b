import { useTranslation } from 'react-i18next';
import { MendImageDocument } from '../../../../graph/generated/graphql';
import { ActionDialog } from '../../../../ui/action/ActionDialog';
import { TextField } from '../../../../ui/form/Field';
import type { MendDialogProps } from './context';

const LONGEST = 1024;

/** Corrects the image of one container. */
export function SetImage({
  workload,
  container,
  image,
  close,
}: MendDialogProps & { container: string; image: string }) {
  const { t } = useTranslation();
  const { id, uid } = workload;
  return (
    <ActionDialog
      open
      close={close}
      title={t('why.setImage.title', { container })}
      name="set-image"
      action={{
        document: MendImageDocument,
        payload: (data) => data.updateWorkloadImage,
        done: (_, input) => t('why.setImage.done', { image: input.image }),
        failed: t('why.setImage.failed'),
        undo: (_, input) => ({ ...input, image }),
      }}
      initial={{ image }}
      input={(values) => ({ id, uid, container, image: values.image })}
      submit={t('why.setImage.submit')}
      lead={t('why.setImage.lead')}
    >
      <TextField
        name="image"
        label={t('why.setImage.image')}
        check={(typed) =>
          typed !== '' && typed.length <= LONGEST && !/\s/.test(typed) ? null : t('why.setImage.badImage')
        }
      />
    </ActionDialog>
  );
}
