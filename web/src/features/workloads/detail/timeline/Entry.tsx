import { useTranslation } from 'react-i18next';
import { shortName } from '../../../../app/viewer';
import type { TimelineRowFragment, WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { FieldChanges } from '../../../../ui/diff/FieldChanges';

interface EntryProps {
  entry: TimelineRowFragment;
  workload: Pick<WorkloadDetailFragment, 'kind' | 'name'>;
}

/** One thing that was done or happened: when, what, by whom, where. */
export function Entry({ entry, workload }: EntryProps) {
  const { t, i18n } = useTranslation();
  const { at, kind, actor, clusterName, object, summary, changes } = entry;
  const self = object.kind === workload.kind && object.name === workload.name;
  return (
    <li className={`timeline-entry is-${kind.toLowerCase()}`} data-timeline={kind}>
      <time dateTime={at} title={new Date(at).toLocaleString(i18n.language)}>
        {new Date(at).toLocaleTimeString(i18n.language)}
      </time>
      <div className="timeline-what">
        <p className="wrap">
          <span className="timeline-kind">{t(`timeline.kind.${kind}`)}</span> <span lang="en">{summary}</span>
        </p>
        <p className="muted small wrap">
          {[actor && shortName(actor), clusterName, !self && `${object.kind} ${object.name}`]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {changes && changes.length > 0 && (
          <details>
            <summary className="small">{t('revisions.fields', { count: changes.length })}</summary>
            <FieldChanges changes={changes} label={summary} />
          </details>
        )}
      </div>
    </li>
  );
}
