import { Alert, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { DeletionEffectFieldsFragment, DeletionPreviewQuery } from '../graph/generated/graphql';
import { DeletionPreviewDocument } from '../graph/generated/graphql';
import { problemsOf } from '../graph/problems';
import { Problems } from '../ui/Notices';
import { ActionDialog } from '../ui/action/ActionDialog';
import type { Action, Payload } from '../ui/action/useAction';
import { TextField } from '../ui/form/Field';

type Item = NonNullable<DeletionPreviewQuery['previewDeletion']>['items'][number];

interface DeleteInput {
  id: string;
  uid?: string | null;
}

interface DeleteObjectProps<Data, Result extends Payload> {
  open: boolean;
  close: () => void;
  object: { id: string; uid?: string | null; kind: string; name: string };
  document: Action<Data, DeleteInput, Result>['document'];
  payload: Action<Data, DeleteInput, Result>['payload'];
  /** What is to be known first. */
  lead?: ReactNode;
  /** It was deleted. */
  after?: () => void;
}

/** Deletes an object of a control plane: shows what goes with it, and asks for its name. */
export function DeleteObject<Data, Result extends Payload>(props: DeleteObjectProps<Data, Result>) {
  const { t } = useTranslation();
  const { open, close, object, document, payload, lead, after } = props;
  return (
    <ActionDialog
      open={open}
      close={close}
      title={t('deletion.title', { kind: object.kind, name: object.name })}
      name="delete"
      danger
      action={{
        document,
        payload,
        done: () => t('deletion.done', { kind: object.kind, name: object.name }),
        failed: t('deletion.failed'),
      }}
      initial={{ confirm: '' }}
      input={({ confirm }) => (confirm === object.name ? { id: object.id, uid: object.uid } : null)}
      submit={t('deletion.submit')}
      onDone={after}
      lead={lead}
      before={<DeletionPreview ids={[object.id]} />}
    >
      <TextField
        name="confirm"
        label={t('deletion.confirm', { name: object.name })}
        check={(typed) => (typed === object.name ? null : t('deletion.notTheName', { name: object.name }))}
      />
    </ActionDialog>
  );
}

/** What deleting objects would do, as the server works it out. */
export function DeletionPreview({ ids }: { ids: string[] }) {
  const { t } = useTranslation();
  const [{ data, error, fetching }, read] = useQuery({
    query: DeletionPreviewDocument,
    variables: { ids },
    requestPolicy: 'network-only',
  });
  const preview = data?.previewDeletion;
  if (!preview && fetching) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  return (
    <div className="deletion" data-deletion-preview>
      <Problems problems={problemsOf(error)} retry={() => read({ requestPolicy: 'network-only' })} />
      {preview?.items.map((item) => (
        <Effects key={item.id} item={item} named={preview.items.length > 1} />
      ))}
      {preview?.findings.map(({ code, message }) => (
        <p key={code + message} className="muted small">
          {message}
        </p>
      ))}
      {preview && <p className="muted small">{t('deletion.previewed')}</p>}
    </div>
  );
}

function Effects({ item, named }: { item: Item; named: boolean }) {
  const { t } = useTranslation();
  const nothing = item.goes.length + item.stays.length + item.refusals.length === 0;
  return (
    <section>
      {named && (
        <h3 className="wrap">
          {item.namespace ? `${item.namespace}/` : ''}
          {item.name} <span className="kind">{item.kind}</span>
        </h3>
      )}
      {item.refusals.map(({ code, message }) => (
        <Alert
          key={message}
          type="error"
          showIcon
          title={t('deletion.refused')}
          description={message}
          data-code={code}
        />
      ))}
      <EffectList title={t('deletion.goes')} effects={item.goes} />
      <EffectList title={t('deletion.stays')} effects={item.stays} />
      {nothing && <p>{t('deletion.nothing')}</p>}
      {item.findings.map(({ code, message }) => (
        <p key={code + message} className="muted small">
          {message}
        </p>
      ))}
    </section>
  );
}

function EffectList({ title, effects }: { title: string; effects: readonly DeletionEffectFieldsFragment[] }) {
  if (effects.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul className="effects" tabIndex={0}>
        {effects.map((effect, index) => (
          <li key={index} className="wrap">
            <EffectName effect={effect} /> <span className="muted small">{effect.reason}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function EffectName({
  effect: { object, kind, clusterName, count },
}: {
  effect: DeletionEffectFieldsFragment;
}) {
  const where = clusterName ? ` · ${clusterName}` : '';
  if (!object) return <span>{`${count} × ${kind}${where}`}</span>;
  return (
    <span>
      <span className="kind">{kind}</span> {object.namespace ? `${object.namespace}/` : ''}
      {object.name}
      {where}
    </span>
  );
}
