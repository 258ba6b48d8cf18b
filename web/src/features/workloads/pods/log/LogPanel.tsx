import { useNavigate } from '@tanstack/react-router';
import { Button, Checkbox, Input, Select } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PodRowFragment, WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import { download } from '../../../../ui/download';
import { Problems } from '../../../../ui/Notices';
import { containersOf, keyOfRow, podOfKey } from '../pod';
import type { PodsSearch, Span } from '../search';
import { MOST_PODS, SPANS, TAILS } from '../search';
import { textOf } from './buffer';
import { Lines } from './Lines';
import type { LogQuestion } from './useLog';
import { useLog } from './useLog';

interface LogPanelProps {
  workload: WorkloadDetailFragment;
  pods: readonly PodRowFragment[];
  search: PodsSearch;
}

const NO_PODS: readonly string[] = [];
/** The longest text that lines are looked through for. */
const MOST_FIND = 200;

/** The logs of pods in members, merged by time and followed. */
export function LogPanel({ workload, pods, search }: LogPanelProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const change = (change: PodsSearch) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, ...change }),
      replace: true,
    });
  const chosen = search.log ?? NO_PODS;
  const containers = useMemo(
    () => containersOf(pods.filter((pod) => chosen.includes(keyOfRow(pod)))),
    [pods, chosen],
  );
  const container = search.container ?? containers[0];
  const tail = search.tail ?? TAILS[0];
  const question = useMemo(
    () => questionOf(workload, chosen, { ...search, container, tail }),
    [workload, chosen, search, container, tail],
  );
  const [run, setRun] = useState(0);
  const log = useLog(question, run);
  const [timestamps, setTimestamps] = useState(false);
  const [wrapped, setWrapped] = useState(true);
  const again = () => setRun((before) => before + 1);

  return (
    <section className="log" aria-label={t('log.title', { name: workload.name })}>
      <div className="filters">
        <Select<string[]>
          className="log-pods"
          mode="multiple"
          maxTagCount="responsive"
          maxCount={MOST_PODS}
          popupMatchSelectWidth={false}
          aria-label={t('log.pods')}
          placeholder={t('log.anyPod')}
          value={[...chosen]}
          options={[...new Set([...pods.map(keyOfRow), ...chosen])].map((value) => ({ value, label: value }))}
          onChange={(log) => change({ log })}
        />
        <Select
          className="log-container"
          popupMatchSelectWidth={false}
          aria-label={t('log.container')}
          placeholder={t('log.container')}
          value={container}
          options={containers.map((value) => ({ value, label: value }))}
          onChange={(container) => change({ container })}
        />
        <Select
          popupMatchSelectWidth={false}
          aria-label={t('log.tail')}
          value={tail}
          options={TAILS.map((value) => ({ value, label: t('log.lastLines', { count: value }) }))}
          onChange={(tail) => change({ tail: tail === TAILS[0] ? undefined : tail })}
        />
        <Select<Span | 'ever'>
          popupMatchSelectWidth={false}
          aria-label={t('log.since')}
          value={search.since ?? 'ever'}
          options={(['ever', 'minutes', 'hour', 'day'] as const).map((value) => ({
            value,
            label: t(`log.span.${value}`),
          }))}
          onChange={(span) => change({ since: span === 'ever' ? undefined : span })}
        />
        <Input
          className="log-find"
          allowClear
          aria-label={t('log.find')}
          placeholder={t('log.findHint')}
          maxLength={MOST_FIND}
          value={search.find ?? ''}
          onChange={({ target }) => change({ find: target.value || undefined })}
        />
        <Checkbox
          checked={search.previous ?? false}
          onChange={({ target }) => change({ previous: target.checked || undefined })}
        >
          <span title={t('log.previousHint')}>{t('log.previous')}</span>
        </Checkbox>
        <Checkbox checked={timestamps} onChange={({ target }) => setTimestamps(target.checked)}>
          {t('log.timestamps')}
        </Checkbox>
        <Checkbox checked={wrapped} onChange={({ target }) => setWrapped(target.checked)}>
          {t('log.wrap')}
        </Checkbox>
        <span className="page-gap" />
        <Button
          size="small"
          disabled={log.entries.length === 0}
          onClick={() => download(textOf(log.entries), `${workload.name}.log`, 'text/plain')}
        >
          {t('log.download')}
        </Button>
      </div>
      <Problems problems={log.problems} />
      <Lines
        // Another question is another log, and is followed from its start.
        key={`${JSON.stringify(question)} ${run}`}
        label={t('log.title', { name: workload.name })}
        log={log}
        asked={question !== null}
        timestamps={timestamps}
        wrapped={wrapped}
        named={chosen.length > 1}
        find={search.find ?? ''}
        again={again}
      />
    </section>
  );
}

function questionOf(
  { instance, namespace }: WorkloadDetailFragment,
  chosen: readonly string[],
  { container, previous, tail, since }: PodsSearch,
): LogQuestion | null {
  const [first, ...also] = chosen.map(podOfKey).filter((pod) => pod !== undefined);
  if (!first || !instance) return null;
  return {
    input: {
      instance: instance.name,
      namespace,
      ...first,
      also: also.map((pod) => ({ ...pod, namespace })),
      container,
      previous: previous ?? false,
      follow: !previous,
      tailLines: tail,
    },
    sinceMinutes: since && SPANS[since],
  };
}
