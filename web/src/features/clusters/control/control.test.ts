import { describe, expect, it } from 'vitest';
import type { InstanceStatusFragment } from '../../../graph/generated/graphql';
import { attachInput, createInput } from '../create/input';
import { isMemberName, joinInput, minutesOf } from '../join/input';
import { editInput, removesControlPlane } from './changes';
import { componentsOf, healthOfInstance, membersFirst } from './health';
import { settingsChanges, settingsOf, valuesOf } from './values';

type Status = Pick<InstanceStatusFragment, 'state' | 'stateMessage' | 'conditions' | 'components'>;

const component = (name: string, state: 'READY' | 'NOT_READY' = 'READY') => ({
  name,
  state,
  message: '',
  since: null,
});
const fails = (type: string, message = '') => ({
  type,
  status: 'FALSE' as const,
  reason: 'No',
  message,
  since: null,
});
const WELL: Status = {
  state: 'RUNNING',
  stateMessage: '',
  conditions: [],
  components: [component('Scheduler'), component('ReadSync')],
};
const member = (name: string, state: 'READY' | 'OFFLINE' | 'NOT_READY') => ({ name, state });

describe('the health of an instance', () => {
  it('is quiet when all is well', () => {
    expect(healthOfInstance(WELL, [member('tokyo', 'READY')])).toEqual({ tone: 'ok', notes: [] });
  });

  it('says which kind of thing is wrong, and never that all is well beside it', () => {
    const away = {
      ...WELL,
      conditions: [
        fails('MembersReachable', 'tokyo cannot be reached'),
        fails('ReadPathSynced', 'tokyo NotReachable'),
      ],
    };
    const health = healthOfInstance(away, [member('tokyo', 'OFFLINE'), member('osaka', 'READY')]);
    expect(health).toEqual({ tone: 'warn', notes: [{ note: 'membersUnreachable', count: 1 }] });
    expect(componentsOf(away).map(({ name, state }) => [name, state])).toEqual([
      ['ReadSync', 'NOT_READY'],
      ['Scheduler', 'READY'],
    ]);
  });

  it('counts a component and the condition of it once', () => {
    const stopped = {
      ...WELL,
      conditions: [fails('SchedulerReady')],
      components: [component('Scheduler', 'NOT_READY')],
    };
    expect(healthOfInstance(stopped, [])).toEqual({
      tone: 'warn',
      notes: [{ note: 'componentsNotReady', count: 1 }],
    });
  });

  it('lets the state of one that does not run speak for itself', () => {
    const lost: Status = { ...WELL, state: 'UNAVAILABLE', conditions: [fails('SchedulerReady')] };
    expect(healthOfInstance(lost, [member('tokyo', 'OFFLINE')])).toEqual({ tone: 'bad', notes: [] });
  });

  it('puts members that somebody should look at first', () => {
    const rows = [
      member('a', 'READY'),
      member('c', 'NOT_READY'),
      member('b', 'OFFLINE'),
      member('0', 'READY'),
    ];
    expect(membersFirst(rows).map(({ name }) => name)).toEqual(['b', 'c', '0', 'a']);
  });
});

describe('settings', () => {
  const nothing = { failover: null, descheduler: null, metricsAdapter: null, revisionHistoryLimit: null };
  const on = { enabled: true, failureThresholdSeconds: 45, gracefulEvictionTimeoutSeconds: null };

  it('are not sent when nothing changed', () => {
    expect(settingsChanges({ ...nothing, failover: on }, valuesOf({ ...nothing, failover: on }))).toBeNull();
  });

  it('are sent one by one, and taken away where nobody says anything any more', () => {
    const values = valuesOf({ ...nothing, failover: on, revisionHistoryLimit: 10 });
    expect(settingsChanges(nothing, values)).toEqual({
      settings: {
        failover: { enabled: true, failureThresholdSeconds: 45, gracefulEvictionTimeoutSeconds: undefined },
        revisionHistoryLimit: 10,
      },
      remove: [],
    });
    expect(settingsChanges({ ...nothing, failover: on }, valuesOf(nothing))).toEqual({
      settings: {},
      remove: ['failover'],
    });
  });

  it('are not sent with what is no number', () => {
    const values = { ...valuesOf({ ...nothing, failover: on }), failureThresholdSeconds: '45.5' };
    expect(settingsOf(values)).toBeNull();
    expect(settingsChanges(nothing, values)).toBeNull();
  });
});

describe('what is sent to make an instance', () => {
  it('is its name alone when nothing else is said', () => {
    const sent = createInput({ name: 'asia', displayName: '', labels: [], etcdReplicas: '', certSANs: [] });
    expect(JSON.parse(JSON.stringify(sent))).toEqual({ name: 'asia' });
  });

  it('is what was said, where the server wants it', () => {
    const sent = createInput({
      name: 'asia',
      highAvailability: true,
      etcdReplicas: '3',
      storageSize: '10Gi',
      serviceType: 'NodePort',
      certSANs: ['karmada.example.com'],
      descheduler: 'on',
    });
    expect(JSON.parse(JSON.stringify(sent))).toEqual({
      name: 'asia',
      highAvailability: true,
      etcd: { local: { replicas: 3, storageSize: '10Gi' } },
      apiServer: { serviceType: 'NodePort', certSANs: ['karmada.example.com'] },
      settings: { descheduler: { enabled: true } },
    });
  });

  it('is the kubeconfig as it stands', () => {
    expect(attachInput({ name: 'asia', kubeconfig: ' apiVersion: v1\n' })?.kubeconfig).toBe(
      ' apiVersion: v1\n',
    );
  });
});

describe('what is sent to join a cluster', () => {
  const values = {
    instance: 'asia',
    name: 'osaka',
    kubeconfig: 'k',
    tokenMinutes: '30',
    labels: [{ key: 'tier', value: 'gold' }],
    taints: [],
  };
  it('is a kubeconfig when Karmada calls it', () => {
    expect(joinInput(values, false)).toMatchObject({ mode: 'PUSH', kubeconfig: 'k', labels: values.labels });
  });
  it('is a lifetime of the command when an agent does, and no kubeconfig', () => {
    const sent = joinInput(values, true);
    expect(sent).toMatchObject({ mode: 'PULL', tokenMinutes: 30 });
    expect(sent).not.toHaveProperty('kubeconfig');
    expect(joinInput({ ...values, tokenMinutes: '4' }, true)).toBeNull();
  });
  it('knows names and minutes', () => {
    expect(['osaka', 'x'.repeat(49), 'Osaka', 'o_saka'].map(isMemberName)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(['5', '1440', '1441', '60.0'].map(minutesOf)).toEqual([5, 1440, null, null]);
  });
});

describe('what is sent for a change of an instance', () => {
  const before = {
    id: 'i',
    uid: 'u',
    resourceVersion: '7',
    displayName: 'Asia',
    description: null,
    labels: [{ key: 'tier', value: 'gold' }],
    deletionPolicy: 'CASCADE' as const,
  };
  const same = { displayName: 'Asia', description: '', labels: before.labels };

  it('is nothing when nothing changed', () => {
    expect(editInput(before, { ...same, deletionPolicy: 'CASCADE', kubeconfig: '' })).toBeNull();
  });

  it('names the version that was read', () => {
    expect(editInput(before, { ...same, displayName: '', labels: [] })).toEqual({
      id: 'i',
      uid: 'u',
      resourceVersion: '7',
      displayName: '',
      labels: [],
      removeLabels: ['tier'],
    });
  });
});

it('knows which control planes go with their instance', () => {
  expect(removesControlPlane({ source: 'MANAGED', deletionPolicy: 'CASCADE' })).toBe(true);
  expect(removesControlPlane({ source: 'MANAGED', deletionPolicy: 'ORPHAN' })).toBe(false);
  expect(removesControlPlane({ source: 'ATTACHED', deletionPolicy: 'ORPHAN' })).toBe(false);
});
