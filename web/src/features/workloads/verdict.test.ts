import { describe, expect, it } from 'vitest';
import type { TargetFieldsFragment, WorkloadState } from '../../graph/generated/graphql';
import { fact, target } from './fixtures';
import type { Stage } from './verdict';
import type { Tone } from '../../ui/tones';
import { countOf, countText, totalOf, verdictOf } from './verdict';

describe('verdictOf', () => {
  const cases: {
    name: string;
    target: Partial<TargetFieldsFragment>;
    state?: WorkloadState;
    tone: Tone;
    stage: Stage;
  }[] = [
    { name: 'is ok when all three facts hold', target: {}, tone: 'ok', stage: 'healthy' },
    {
      name: 'never calls healthy what was not applied',
      target: { applied: fact('FALSE', 'ApplyFailed'), healthy: fact('TRUE') },
      tone: 'bad',
      stage: 'applied',
    },
    {
      name: 'never calls applied what was not scheduled',
      target: { scheduled: fact('FALSE', 'NotChosen') },
      tone: 'bad',
      stage: 'scheduled',
    },
    {
      name: 'says unknown as unknown, not as healthy',
      target: { healthy: fact('UNKNOWN', 'ClusterOffline') },
      tone: 'unknown',
      stage: 'healthy',
    },
    {
      name: 'is busy while a status is on its way',
      target: { applied: fact('UNKNOWN', 'NotYetReported') },
      tone: 'busy',
      stage: 'applied',
    },
    {
      name: 'is busy while an unhealthy rollout is not overdue',
      target: { healthy: fact('FALSE', 'RolloutIncomplete') },
      state: 'PROGRESSING',
      tone: 'busy',
      stage: 'healthy',
    },
    {
      name: 'warns when a rollout hangs',
      target: { healthy: fact('FALSE', 'RolloutIncomplete') },
      state: 'DEGRADED',
      tone: 'warn',
      stage: 'healthy',
    },
    {
      name: 'warns of an eviction although the facts still hold',
      target: { reason: 'EVICTING' },
      tone: 'warn',
      stage: 'scheduled',
    },
    {
      name: 'is idle when nothing is asked for',
      target: { desiredReplicas: 0 },
      tone: 'idle',
      stage: 'healthy',
    },
    {
      name: 'is idle where dispatching is suspended on purpose',
      target: { applied: fact('FALSE', 'DispatchingSuspended') },
      tone: 'idle',
      stage: 'applied',
    },
  ];
  it.each(cases)('$name', (given) => {
    const got = verdictOf(target(given.target), given.state);
    expect({ tone: got.tone, stage: got.stage }).toEqual({ tone: given.tone, stage: given.stage });
  });
});

describe('countOf', () => {
  const status = {
    replicas: 3,
    ready: 1,
    updated: null,
    available: null,
    active: 4,
    succeeded: 5,
    failed: null,
  };
  const cases: [string, string, Partial<TargetFieldsFragment>, number | null, string][] = [
    ['counts ready of desired for a Deployment', 'Deployment', { status }, null, '1/2'],
    [
      'takes the member for a DaemonSet, which nobody assigns replicas',
      'DaemonSet',
      { status, desiredReplicas: null },
      null,
      '1/3',
    ],
    ['counts successes of a Job', 'Job', { status }, 6, '5/6'],
    ['counts what a CronJob runs now', 'CronJob', { status }, null, '4'],
    ['says nothing of a CronJob between its runs', 'CronJob', { status: { ...status, active: 0 } }, null, ''],
    ['does not take silence for zero', 'Deployment', { status: null }, null, '?/2'],
    ['says nothing when nothing is known', 'CronJob', { status: null }, null, ''],
  ];
  it.each(cases)('%s', (_, kind, change, completions, want) => {
    expect(countText(countOf(kind, target(change), completions))).toBe(want);
  });

  it('adds up clusters and leaves out those that say nothing', () => {
    const counts = [{ have: 1, want: 2 }, { have: null, want: 3 }, null];
    expect(totalOf(counts)).toEqual({ have: 1, want: 5 });
    expect(totalOf([null])).toBeNull();
  });
});
