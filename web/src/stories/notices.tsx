import { Button } from 'antd';
import { Age } from '../ui/Age';
import { FreshnessMark } from '../ui/Freshness';
import { Meter } from '../ui/Meter';
import { Blank, Failed, Forbidden, LoadingRows, NoInstance, Problems } from '../ui/Notices';
import { Pager } from '../ui/Pager';
import { Stale } from '../ui/Stale';
import { StateBadge } from '../ui/tone';
import type { Tone } from '../ui/tones';
import { FORBIDDEN, STALE, UNREACHABLE } from './fixtures';
import type { Story } from './story';

const TONES: readonly Tone[] = ['ok', 'busy', 'warn', 'bad', 'idle', 'unknown'];
const LONG = 'an explanation that goes on and on, '.repeat(20);
const noRetry = () => {};

function pager(after: string | undefined, hasNext: boolean) {
  return (
    <Pager
      shown={50}
      keys="Arrow keys move between rows"
      after={after}
      endCursor="c"
      hasNext={hasNext}
      go={() => {}}
      resize={() => {}}
    />
  );
}

const FRESHNESS = ['LIVE', 'STALE', 'STOPPED', 'NEVER'] as const;

export const NOTICE_STORIES: Story[] = [
  { of: 'Problems', state: 'retryable', render: () => <Problems problems={[UNREACHABLE]} retry={noRetry} /> },
  {
    of: 'Problems',
    state: 'long content',
    render: () => <Problems problems={[{ ...UNREACHABLE, message: LONG }, FORBIDDEN]} retry={noRetry} />,
  },
  { of: 'Failed', state: 'error', render: () => <Failed problems={[UNREACHABLE]} retry={noRetry} /> },
  { of: 'Forbidden', state: 'forbidden', render: () => <Forbidden /> },
  {
    of: 'Blank',
    state: 'empty',
    render: () => (
      <Blank title="Nothing here" hint={LONG}>
        <Button type="primary">Make one</Button>
      </Blank>
    ),
  },
  {
    of: 'NoInstance',
    state: 'missing',
    render: () => (
      <NoInstance instance="atlantis">
        <a href="/workloads">All instances</a>
      </NoInstance>
    ),
  },
  { of: 'LoadingRows', state: 'loading', render: () => <LoadingRows /> },
  {
    of: 'Stale',
    state: 'stale',
    render: () => (
      <Stale
        instances={[{ name: 'asia', freshness: STALE }]}
        unwatched={[{ instance: 'europe', problems: [UNREACHABLE] }]}
      />
    ),
  },
  {
    of: 'FreshnessMark',
    state: 'all',
    render: () =>
      FRESHNESS.map((state) => (
        <p key={state}>
          <FreshnessMark freshness={{ ...STALE, state }} />
        </p>
      )),
  },
  {
    of: 'StateBadge',
    state: 'all tones',
    render: () =>
      TONES.map((tone) => (
        <p key={tone}>
          <StateBadge tone={tone}>{tone}</StateBadge>
        </p>
      )),
  },
  {
    of: 'Meter',
    state: 'all',
    render: () =>
      [0, 0.5, 0.95, null].map((share) => (
        <Meter
          key={share}
          label="CPU"
          share={share}
          text={share === null ? 'not told' : `${share * 40} of 40`}
        />
      )),
  },
  {
    of: 'Age',
    state: 'all',
    render: () => (
      <>
        <Age since="2026-01-01T00:00:00Z" /> <Age since={null} />
      </>
    ),
  },
  { of: 'Pager', state: 'first page', render: () => pager(undefined, true) },
  { of: 'Pager', state: 'last page', render: () => pager('c', false) },
];
