import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppliedDocumentFragment, ApplyOutcome } from '../../graph/generated/graphql';
import { refusalText } from '../../ui/action/refusals';
import type { DataColumn } from '../../ui/table/columns';
import { DataTable } from '../../ui/table/DataTable';
import { StateBadge } from '../../ui/tone';
import type { Tone } from '../../ui/tones';
import { failedOf } from './manifests';

const TONES: Record<ApplyOutcome, Tone> = {
  CREATED: 'ok',
  CONFIGURED: 'busy',
  UNCHANGED: 'idle',
  FAILED: 'bad',
  SKIPPED: 'unknown',
};

interface OutcomesProps {
  instance: string;
  documents: readonly AppliedDocumentFragment[];
  /** Nothing was changed: it is what would become of them. */
  preview: boolean;
  /** The manifests have changed since. */
  outdated: boolean;
}

/** What became of each document, or would. */
export function Outcomes({ instance, documents, preview, outdated }: OutcomesProps) {
  const { t } = useTranslation();
  const columns = useMemo<DataColumn<AppliedDocumentFragment>[]>(
    () => [
      { id: 'document', header: t('apply.document'), number: true, cell: ({ index }) => index + 1 },
      {
        id: 'outcome',
        header: preview ? t('apply.wouldBe') : t('apply.outcome'),
        cell: ({ outcome }) => (
          <StateBadge tone={TONES[outcome]}>{t(`apply.${preview ? 'would' : 'was'}.${outcome}`)}</StateBadge>
        ),
      },
      { id: 'kind', header: t('apply.kind'), cell: ({ kind }) => kind ?? '–' },
      { id: 'namespace', header: t('apply.namespace'), cell: ({ namespace }) => namespace ?? '–' },
      { id: 'name', header: t('apply.name'), namesRow: true, cell: ({ name }) => name ?? '–' },
      {
        id: 'why',
        header: t('apply.why'),
        cell: ({ error }) => (error ? <span className="reason wrap">{refusalText(error)}</span> : ''),
      },
    ],
    [t, preview],
  );
  const failed = failedOf(documents);
  const count = documents.length;
  return (
    <section className="apply-outcomes" data-outcomes={preview ? 'preview' : 'applied'}>
      <h2>
        {preview ? t('apply.previewOf', { count, instance }) : t('apply.appliedTo', { count, instance })}
      </h2>
      <p className="muted" role="status">
        {failed > 0 ? t('apply.someFailed', { failed, count }) : t('apply.noneFailed')}
        {outdated && ` ${t('apply.outdated')}`}
      </p>
      <DataTable
        name="outcomes"
        label={t('apply.outcome')}
        columns={columns}
        rows={documents}
        rowId={({ index }) => String(index)}
        rowAttributes={({ outcome, name }) => ({ 'data-outcome': outcome, 'data-name': name ?? undefined })}
        empty={<p className="muted">{t('apply.noDocuments')}</p>}
      />
    </section>
  );
}
