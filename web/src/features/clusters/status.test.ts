import { describe, expect, it } from 'vitest';
import type { InstanceState, InstanceStatusFragment, StepState } from '../../graph/generated/graphql';
import { saidByStep, showsSteps, troublesOf } from './status';
import { watched } from './useClusters';

type Condition = InstanceStatusFragment['conditions'][number];

function condition(type: string, status: Condition['status'], message = `about ${type}`): Condition {
  return { type, status, reason: 'Why', message, since: null };
}

describe('troublesOf', () => {
  const cases: [string, InstanceState, string, Condition[], string[]][] = [
    [
      'tells nothing of what holds',
      'RUNNING',
      '',
      [condition('Ready', 'TRUE'), condition('SchedulerReady', 'TRUE')],
      [],
    ],
    [
      'tells what is wrong before what is not known, and leaves out the sum',
      'RUNNING',
      '',
      [
        condition('ControllersReady', 'UNKNOWN'),
        condition('MembersUnique', 'FALSE'),
        condition('Ready', 'FALSE'),
        condition('AccessApplied', 'FALSE'),
      ],
      ['warn AccessApplied', 'warn MembersUnique', 'unknown ControllersReady'],
    ],
    [
      'tells the sum when nothing else says why',
      'RUNNING',
      '',
      [condition('Ready', 'FALSE')],
      ['warn Ready'],
    ],
    ['does not take joined members for a trouble', 'RUNNING', '', [condition('Deletable', 'FALSE')], []],
    ['tells what holds a removal up', 'DELETING', '', [condition('Deletable', 'FALSE')], ['warn Deletable']],
    [
      'does not say twice what the state says',
      'UNAVAILABLE',
      'about APIServerReachable',
      [condition('APIServerReachable', 'FALSE'), condition('WebhookReady', 'UNKNOWN')],
      ['unknown WebhookReady'],
    ],
  ];
  it.each(cases)('%s', (_, state, stateMessage, conditions, want) => {
    expect(
      troublesOf({ state, stateMessage, conditions }).map(({ tone, type }) => `${tone} ${type}`),
    ).toEqual(want);
  });
});

describe('showsSteps', () => {
  const steps = (...states: StepState[]) =>
    states.map((state, i) => ({ name: `step ${i}`, state, message: '', startedAt: null, finishedAt: null }));

  it.each([
    ['INSTALLING', steps('SUCCEEDED', 'PENDING'), true],
    ['INSTALLING', [], false],
    ['DELETING', steps('SUCCEEDED'), true],
    ['RUNNING', steps('SUCCEEDED', 'SUCCEEDED'), false],
    ['RUNNING', steps('SUCCEEDED', 'FAILED'), true],
  ] as const)('of an instance that is %s, with %j: %s', (state, list, want) => {
    expect(showsSteps({ state, steps: [...list] })).toBe(want);
  });
});

it('does not say twice what a step says', () => {
  const step = {
    name: 'Install',
    state: 'RUNNING',
    message: 'waits for etcd',
    startedAt: null,
    finishedAt: null,
  } as const;
  const said = (stateMessage: string) => saidByStep({ state: 'INSTALLING', stateMessage, steps: [step] });
  expect([said('waits for etcd'), said('no room')]).toEqual([true, false]);
});

it('watches no instance that is being installed', () => {
  expect(
    watched([
      { name: 'asia', state: 'RUNNING' },
      { name: 'europe', state: 'INSTALLING' },
      { name: 'africa', state: 'UNAVAILABLE' },
    ]),
  ).toEqual(['asia', 'africa']);
});
