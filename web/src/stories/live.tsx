import { LineChart } from '../ui/chart/LineChart';
import type { Point } from '../ui/chart/scale';
import { Refresh } from '../ui/page/Refresh';
import type { TerminalState } from '../ui/terminal/TerminalHead';
import { TerminalHead } from '../ui/terminal/TerminalHead';
import type { Story } from './story';

const FROM = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;
const SPAN = { from: FROM, to: FROM + 59 * MINUTE };
const nothing = () => {};

const points = (value: (minute: number) => number | null): Point[] =>
  Array.from({ length: 60 }, (_, minute) => ({ at: FROM + minute * MINUTE, value: value(minute) }));

const used = (minute: number) => 6 + 3 * Math.sin(minute / 8);
const gap = (minute: number) => (minute > 20 && minute < 35 ? null : used(minute));

const chart = (state: string, value: (minute: number) => number | null, play?: Story['play']): Story => ({
  of: 'LineChart',
  state,
  play,
  render: () => (
    <LineChart
      label="CPU"
      span={SPAN}
      lines={[
        { id: 'used', label: 'Allocated', points: points(value) },
        { id: 'all', label: 'Allocatable', points: points(() => 16) },
      ]}
      text={(cores) => `${cores.toFixed(1)} cores`}
    />
  ),
});

const terminal = (state: TerminalState, again = true): Story => ({
  of: 'TerminalHead',
  state: state.kind,
  render: () => <TerminalHead state={state} again={again} connect={nothing} end={nothing} />,
});

const refresh = (state: string, outdated: boolean, loading = false): Story => ({
  of: 'Refresh',
  state,
  render: () => <Refresh asOf={{ at: FROM, outdated }} loading={loading} read={nothing} />,
});

export const LIVE_STORIES: Story[] = [
  chart('lines', used),
  chart('a gap', gap),
  chart('nothing known', () => null),
  chart('a moment picked', used, (page) => page.querySelector<HTMLElement>('[role="slider"]')?.focus()),
  terminal({ kind: 'idle' }, false),
  terminal({ kind: 'connecting' }),
  terminal({ kind: 'open' }),
  terminal({ kind: 'exited', code: 3 }),
  terminal({ kind: 'failed', message: 'container "app" is not there' }),
  terminal({
    kind: 'refused',
    message:
      'pods "cart-5c4f" is forbidden: User "ada" cannot create resource "pods/exec" in the namespace "shop"',
  }),
  terminal({ kind: 'lost' }),
  refresh('read', false),
  refresh('outdated', true),
  refresh('reading', false, true),
];
