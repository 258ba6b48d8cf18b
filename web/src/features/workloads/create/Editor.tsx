import { useNavigate } from '@tanstack/react-router';
import { Alert, Button, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { canScale, KINDS, pathOfKind } from '../../../app/kinds';
import type { WorkloadKind } from '../../../graph/generated/graphql';
import { refusalText } from '../../../ui/action/refusals';
import { useToast } from '../../../ui/action/toast';
import { useValid } from '../../../ui/form/useValid';
import { Discard, useLeaving } from './Discard';
import { drafts, freshDraft } from './drafts';
import { FormSections } from './FormSections';
import type { MakingInstance } from './making';
import { kindsFor, namespacesFor } from './making';
import { namedIn, nameOfKind } from './manifest';
import { Overrides } from './Overrides';
import { Placement } from './PlacementFields';
import type { Made } from './placement';
import { isPlain, manifestsOf, wrongOverrides, wrongPlacement } from './placement';
import { hindrancesOf } from './preview';
import { isByForm, useMaking } from './useMaking';
import type { FormValues } from './useManifestForm';
import { useManifestForm } from './useManifestForm';
import { useRefusals } from './useRefusals';
import { usePreview, Where } from './Where';
import { YamlSide } from './YamlSide';

interface EditorProps {
  instance: MakingInstance;
  kind: WorkloadKind;
  namespace: string;
}

/** A new workload by form and by YAML: nothing is made that was not tried, and seen where it goes. */
export function Editor({ instance, kind: first, namespace }: EditorProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const toast = useToast();
  const view = useManifestForm(drafts.get(instance.name) ?? freshDraft(first, namespace), (draft) =>
    drafts.set(instance.name, draft),
  );
  const { form, draft, kind, object, parsed } = view;
  const valid = useValid(form);
  const { left, tell, takeBack } = useRefusals(form);
  const { looked, accepted, look, make, forget, pending } = useMaking(tell);
  const seen = usePreview(looked);
  useLeaving(drafts.has(instance.name));

  const made: Made = { instance: instance.name, kind, named: namedIn(object), object, ...draft };
  const manifests = manifestsOf(made);
  const { name } = made.named;
  const ofKind = namespacesFor(instance, kind);
  const missing = [
    ...(ofKind?.length === 0
      ? [t('compose.notHere', { kind: nameOfKind(kind), instance: instance.name })]
      : []),
    ...(wrongPlacement(draft.placement) ? [t('compose.nowhere')] : []),
    ...wrongOverrides(draft.overrides).map(
      ({ row, why }) => `${t('compose.override', { row })}: ${t(`compose.${why}`)}`,
    ),
  ];
  const ready = valid && parsed.ok && missing.length === 0;
  const isOfThis = (asked: typeof looked) =>
    asked?.instance === instance.name && asked.manifests === manifests;
  const hindrances = seen.preview ? hindrancesOf(seen.preview.documents) : [];
  const mayMake =
    ready && isOfThis(looked) && isOfThis(accepted) && seen.preview !== null && hindrances.length === 0;

  const changed = (part: keyof FormValues | undefined) => {
    takeBack();
    view.changed();
    const at = form.getFieldValue('namespace') as string;
    if (part === 'namespace') mirror({ namespace: [at] });
  };
  const mirror = (search: { kind?: string[]; namespace?: string[] }) =>
    void navigate({
      to: '/workloads/new',
      search: (before) => ({ ...before, ...search }),
      replace: true,
    });
  /** A field was left: what stands there now is asked about. */
  const settle = () => {
    if (ready && !pending && !isOfThis(looked)) void look(made);
  };
  const create = async () => {
    if (pending || !mayMake || !(await make(made))) return;
    drafts.delete(instance.name);
    toast({ title: t('compose.created', { name }) });
    void navigate({
      to: '/workloads/$instance/$namespace/$kind/$name',
      params: {
        instance: instance.name,
        namespace: made.named.namespace,
        kind: pathOfKind(nameOfKind(kind)),
        name,
      },
    });
  };
  const hasReplicas = canScale(nameOfKind(kind)) || kind === 'JOB';

  return (
    <>
      <div className="filters">
        <Select<WorkloadKind>
          className="filter-words"
          aria-label={t('filter.kind')}
          value={kind}
          disabled={!parsed.ok}
          options={KINDS.filter(({ value }) => kindsFor(instance).includes(value)).map((known) => ({
            value: known.value,
            label: known.kind,
          }))}
          onChange={(wanted) => {
            takeBack();
            view.turn(wanted);
            mirror({ kind: [pathOfKind(nameOfKind(wanted))] });
          }}
        />
      </div>
      <div className="work-edit" onBlur={settle}>
        <FormSections view={view} exists={false} namespaces={ofKind} changed={changed}>
          <Placement instance={instance.name} hasReplicas={hasReplicas} />
          <Overrides instance={instance.name} hasReplicas={canScale(nameOfKind(kind))} />
        </FormSections>
        <div className="work-side">
          <YamlSide view={view} label={t('compose.yamlLabel')} />
          <Where {...seen} outdated={!isOfThis(looked)} />
        </div>
      </div>
      <div className="work-end">
        <div role="alert">
          {left.map(refusalText).map((text) => (
            <Alert key={text} type="error" showIcon title={t('compose.refused')} description={text} />
          ))}
        </div>
        <p className="muted small" role="status">
          {missing.join(' ')}
          {missing.length === 0 && !isByForm(made) && (
            <span>{t(isPlain(draft.placement) ? 'compose.byApply' : 'compose.byPolicy')} </span>
          )}
          {mayMake && t('compose.accepted')}
        </p>
        <div className="action-buttons">
          {drafts.has(instance.name) && (
            <Discard
              discard={() => {
                takeBack();
                forget();
                view.begin(freshDraft(kind, namespace));
                drafts.delete(instance.name);
              }}
            />
          )}
          <Button disabled={!ready} loading={pending && !mayMake} onClick={() => void look(made)}>
            {t('compose.preview')}
          </Button>
          <Button
            type="primary"
            disabled={!mayMake}
            loading={pending && mayMake}
            onClick={() => void create()}
          >
            {t('compose.create')}
          </Button>
        </div>
      </div>
    </>
  );
}
