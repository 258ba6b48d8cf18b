import { useSearch } from '@tanstack/react-router';
import { Alert, Button, Checkbox, Skeleton } from 'antd';
import type { DragEvent } from 'react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppliedDocumentFragment, ApplyManifestsInput } from '../../graph/generated/graphql';
import { ApplyManifestsDocument } from '../../graph/generated/graphql';
import type { Refusal } from '../../ui/action/refusals';
import { refusalText } from '../../ui/action/refusals';
import { useAction } from '../../ui/action/useAction';
import { Blank } from '../../ui/Notices';
import { PageHead } from '../../ui/page/PageHead';
import { failedOf, withFiles } from './manifests';
import { draftsOf } from '../session/drafts';
import { Outcomes } from './Outcomes';
import { begunWith } from './templates';

const YamlView = lazy(async () => ({ default: (await import('../../ui/YamlView')).YamlView }));

export function ApplyPage() {
  const { t } = useTranslation();
  const { instance, begin } = useSearch({ from: '/signed-in/apply' });
  return (
    <div className="page">
      <PageHead lead={instance} />
      {instance ? (
        <ApplyForm key={`${instance} ${begin}`} instance={instance} begin={begin} />
      ) : (
        <Blank title={t('apply.noInstance')} hint={t('apply.noInstanceHint')} />
      )}
    </div>
  );
}

/** What was written for each instance and not applied: going to another page loses none of it. */
const drafts = draftsOf<string>();

/** What became of the documents of an input, or would. */
interface Answer {
  input: ApplyManifestsInput;
  documents: readonly AppliedDocumentFragment[];
}

function ApplyForm({ instance, begin }: { instance: string; begin: string | undefined }) {
  const { t } = useTranslation();
  const [manifests, setManifests] = useState(() => begunWith(drafts.get(instance) ?? '', begin));
  const [goOn, setGoOn] = useState(false);
  const [force, setForce] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const { run, pending } = useAction(
    {
      document: ApplyManifestsDocument,
      payload: (data) => data.applyManifests,
      failed: t('apply.failed'),
    },
    { showsRefusals: true },
  );

  const input = { instance, manifests, onError: goOn ? ('CONTINUE' as const) : ('STOP' as const), force };
  const previewed =
    answer?.input.dryRun === true &&
    answer.input.manifests === manifests &&
    answer.input.onError === input.onError &&
    answer.input.force === force;
  const failed = answer ? failedOf(answer.documents) : 0;

  const write = (text: string) => {
    drafts.set(instance, text);
    setManifests(text);
  };
  const send = async (dryRun: boolean) => {
    if (pending) return;
    setRefusals([]);
    const sent = { ...input, dryRun };
    const outcome = await run(sent);
    setAnswer(outcome.done ? { input: sent, documents: outcome.result.documents } : null);
    setRefusals(outcome.done ? [] : outcome.refusals);
  };

  return (
    <div className="apply" aria-busy={pending}>
      <p className="muted">{t('apply.lead')}</p>
      <Manifests text={manifests} write={write} />
      <div className="apply-options">
        <Checkbox checked={goOn} onChange={({ target }) => setGoOn(target.checked)}>
          {t('apply.goOn')}
        </Checkbox>
        <Checkbox checked={force} onChange={({ target }) => setForce(target.checked)}>
          {t('apply.force')}
        </Checkbox>
        <span className="page-gap" />
        <Button
          type={previewed ? 'default' : 'primary'}
          disabled={manifests.trim() === ''}
          loading={pending && !previewed}
          onClick={() => void send(true)}
        >
          {t('apply.preview')}
        </Button>
        <Button
          type={previewed ? 'primary' : 'default'}
          danger={previewed && force}
          // Nothing is applied of which nobody has seen what it does.
          disabled={!previewed || (failed > 0 && !goOn)}
          loading={pending && previewed}
          onClick={() => void send(false)}
        >
          {t('apply.apply')}
        </Button>
      </div>
      <div role="alert">
        {refusals.map(refusalText).map((text) => (
          <Alert key={text} type="error" showIcon title={t('apply.failed')} description={text} />
        ))}
      </div>
      {answer && (
        <Outcomes
          instance={instance}
          documents={answer.documents}
          preview={answer.input.dryRun === true}
          outdated={answer.input.manifests !== manifests}
        />
      )}
    </div>
  );
}

interface ManifestsProps {
  text: string;
  write: (text: string) => void;
}

/** Where manifests are written, pasted, or dropped as files. */
function Manifests({ text, write }: ManifestsProps) {
  const { t } = useTranslation();
  const files = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [unread, setUnread] = useState('');

  const add = async (list: FileList | null) => {
    const given = Array.from(list ?? []);
    setUnread('');
    try {
      write(withFiles(text, await Promise.all(given.map((file) => file.text()))));
    } catch {
      setUnread(t('apply.unread', { files: given.map(({ name }) => name).join(', ') }));
    }
  };
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    setOver(false);
    void add(event.dataTransfer.files);
  };

  return (
    <div
      className={over ? 'apply-manifests is-over' : 'apply-manifests'}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDropCapture={drop}
    >
      <Suspense fallback={<Skeleton active paragraph={{ rows: 12 }} />}>
        <YamlView text={text} label={t('apply.manifests')} edit={write} />
      </Suspense>
      <div className="apply-files">
        <Button size="small" onClick={() => files.current?.click()}>
          {t('apply.files')}
        </Button>
        <span className="muted small">{t('apply.drop')}</span>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          accept=".yaml,.yml,.json"
          onChange={({ target }) => {
            void add(target.files);
            target.value = '';
          }}
        />
      </div>
      <div role="alert">{unread && <Alert type="error" showIcon title={unread} />}</div>
    </div>
  );
}
