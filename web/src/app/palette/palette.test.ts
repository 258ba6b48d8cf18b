// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FoundObjectFragment, SearchQuery } from '../../graph/generated/graphql';
import type { Problem } from '../../graph/problems';
import { meantBy } from '../useKeys';
import { doubtsOf } from './doubts';
import type { Answer } from './finder';
import { Finder, searchedOf } from './finder';
import type { Hit } from './found';
import { hitsOf, MOST_SHOWN } from './found';
import type { Recent } from './recent';
import { forgetRecent, recentOf, remember } from './recent';

/** `asia/tokyo Deployment shop/cart`; the control plane has no member. */
function object(text: string): FoundObjectFragment {
  const [place = '', kind = '', path = ''] = text.split(' ');
  const [instance = '', cluster] = place.split('/');
  const [name = '', namespace = null] = path.split('/').reverse();
  return {
    id: text,
    apiVersion: 'v1',
    kind,
    namespace,
    name,
    instance: { id: instance, name: instance },
    cluster: cluster ? { id: place, name: cluster } : null,
  };
}

const NO_MORE = { hasNextPage: false };

function answer(workloads: string[], others: FoundObjectFragment[] = [], more = false): SearchQuery {
  return {
    workloads: { nodes: workloads.map(object), pageInfo: NO_MORE },
    search: {
      nodes: others,
      pageInfo: { hasNextPage: more },
      instances: { nodes: [] },
      clusters: { nodes: [] },
    },
  };
}

const said = ({ label, instance, clusters, place, leadsTo }: Hit) =>
  [label, [instance, ...clusters].join(' '), place.type, leadsTo].filter(Boolean).join(' | ');

describe('hitsOf', () => {
  it('tells a workload and its copies in the members as one', () => {
    const found = answer(
      ['asia Deployment shop/cart', 'asia/tokyo Deployment shop/cart', 'europe Deployment shop/cart'],
      [object('asia/singapore Deployment shop/cart'), object('asia/tokyo Deployment shop/cart')],
    );
    expect(hitsOf(found, 'cart').hits.map(said)).toEqual([
      'shop/cart | asia tokyo singapore | workload',
      'shop/cart | europe | workload',
    ]);
  });

  it('leads to the member where a workload has no template', () => {
    expect(hitsOf(answer(['asia/tokyo Deployment shop/own']), 'own').hits.map(said)).toEqual([
      'shop/own | asia tokyo | cluster | cluster',
    ]);
  });

  it('leads to the object itself where a copy of it was found first', () => {
    const found = answer([], [object('asia/tokyo Service shop/cart'), object('asia Service shop/cart')]);
    expect(hitsOf(found, 'cart').hits.map(said)).toEqual(['shop/cart | asia tokyo | object']);
  });

  it('puts what is called so before what begins so, and that before the rest', () => {
    const found = answer(['asia Job a/old-cart', 'asia Job a/cart-2', 'asia Job a/cart']);
    expect(hitsOf(found, 'cart').hits.map(({ label }) => label)).toEqual([
      'a/cart',
      'a/cart-2',
      'a/old-cart',
    ]);
  });

  it.each([
    ['asia Namespace shop', 'shop | asia | namespace'],
    ['asia/tokyo Node node-1', 'node-1 | asia tokyo | cluster | cluster'],
    ['asia Service shop/cart', 'shop/cart | asia | object'],
    ['asia ClusterPropagationPolicy agents', 'agents | asia | object'],
  ])('of %s says where it leads: %s', (text, want) => {
    expect(hitsOf(answer([], [object(text)]), 'x').hits.map(said)).toEqual([want]);
  });

  it('leads from a pod to its workload, in its member', () => {
    const workload = { id: 'w', kind: 'Deployment', namespace: 'shop', name: 'cart' };
    const pod = Object.assign(object('asia/tokyo Pod shop/cart-1'), { workload });
    const same = Object.assign(object('asia/osaka Pod shop/cart-1'), { workload: null });
    const { hits } = hitsOf(answer([], [pod, same]), 'cart');
    expect(hits.map(said)).toEqual([
      'shop/cart-1 | asia tokyo | workload | workload',
      'shop/cart-1 | asia osaka | cluster | cluster',
    ]);
    expect(hits[0]?.place).toMatchObject({ name: 'cart', cluster: 'tokyo', tab: 'pods' });
  });

  it('says that there are more', () => {
    const many = Array.from({ length: MOST_SHOWN + 1 }, (_, n) => `asia Job a/cart-${n}`);
    expect(hitsOf(answer(many), 'cart')).toMatchObject({ more: true, hits: { length: MOST_SHOWN } });
    expect(hitsOf(answer([], [], true), 'cart').more).toBe(true);
    expect(hitsOf(answer(['asia Job a/cart']), 'cart').more).toBe(false);
  });
});

describe('Finder', () => {
  it('asks one question at a time, and then the last of what was typed meanwhile', async () => {
    const asked: string[] = [];
    const answers: ((answer: Answer) => void)[] = [];
    const finder = new Finder((text) => {
      asked.push(text);
      return new Promise((resolve) => answers.push(resolve));
    });
    const nothing: Answer = { data: null, problems: [] };
    finder.find('c');
    finder.find('ca');
    finder.find('cart');
    expect([asked, finder.view.busy]).toEqual([['c'], true]);
    answers[0]?.(nothing);
    await vi.waitFor(() => expect(asked).toEqual(['c', 'cart']));
    answers[1]?.(nothing);
    await vi.waitFor(() => expect(finder.view).toMatchObject({ text: 'cart', busy: false }));
    finder.find('cart');
    expect(asked).toEqual(['c', 'cart']);
    finder.find('');
    expect(finder.view).toMatchObject({ text: '', answer: null });
  });

  it.each([
    [' Cart ', 'cart'],
    ['cart-1.2', 'cart-1.2'],
    ['', ''],
    ['shop cart', null],
    ['shop/cart', 'cart'],
    ['shop/', ''],
    ['a/b/c', null],
    ['a'.repeat(254), null],
  ])('of %j looks for %j', (typed, want) => {
    expect(searchedOf(typed)).toBe(want);
  });
});

describe('what was chosen lately', () => {
  const chosen = (key: string): Recent => ({
    key,
    label: key,
    kind: '',
    detail: '',
    place: { type: 'instance', instance: key },
  });
  beforeEach(() => localStorage.clear());

  it('is kept for who chose it, the last first and each once', () => {
    for (const key of ['a', 'b', 'a']) remember('ada', chosen(key));
    expect(recentOf('ada').map(({ key }) => key)).toEqual(['a', 'b']);
    expect(recentOf('bob')).toEqual([]);
    remember('bob', chosen('c'));
    expect(recentOf('ada')).toEqual([]);
    forgetRecent();
    expect(localStorage.length).toBe(0);
  });

  it.each(['{', 'null', '{"viewer":"ada","recent":[{"key":1},null]}'])(
    'is nothing where %s is stored',
    (text) => {
      localStorage.setItem('kairship.recent', text);
      expect(recentOf('ada')).toEqual([]);
    },
  );
});

it('says where it could not look, and what may be old', () => {
  const fresh = (state: 'LIVE' | 'STALE' | 'NEVER') => ({ state, message: '', syncedAt: null });
  const cluster = (name: string, state: 'LIVE' | 'STALE' | 'NEVER') =>
    ({ id: name, name, state: 'READY', freshness: fresh(state) }) as const;
  const problem: Problem = { code: 'UNAVAILABLE', message: '', instance: 'europe', retryable: true };
  expect(
    doubtsOf(
      [
        {
          name: 'asia',
          state: 'RUNNING',
          freshness: fresh('LIVE'),
          clusters: { nodes: [cluster('tokyo', 'STALE'), cluster('osaka', 'NEVER')] },
        },
        { name: 'europe', state: 'UNAVAILABLE', freshness: fresh('STALE'), clusters: null },
        { name: 'lab', state: 'INSTALLING', freshness: null, clusters: null },
      ],
      [problem],
    ),
  ).toEqual({ notSearched: ['asia / osaka', 'europe', 'lab'], old: ['asia / tokyo'] });
});

describe('keys', () => {
  const press = (key: string, change: Partial<Parameters<typeof meantBy>[0]> = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    isComposing: false,
    target: document.body,
    ...change,
  });
  const input = document.createElement('input');
  const shell = document.createElement('div');
  shell.className = 'xterm';
  const typing = shell.appendChild(document.createElement('textarea'));

  it.each([
    ['Ctrl+K', press('k', { ctrlKey: true }), false, 'palette'],
    ['⌘K in a field', press('k', { metaKey: true, target: input }), false, 'palette'],
    ['Ctrl+K in a shell', press('k', { ctrlKey: true, target: typing }), false, null],
    ['⌘K in a shell', press('k', { metaKey: true, target: typing }), false, 'palette'],
    ['k', press('k'), false, null],
    ['?', press('?'), false, 'keys'],
    ['? in a field', press('?', { target: input }), false, null],
    ['g', press('g'), false, 'begin'],
    ['w after g', press('w'), true, 'go'],
    ['w alone', press('w'), false, null],
    ['g in a field', press('g', { target: input }), false, null],
  ])('%s', (_, pressed, afterG, want) => {
    expect(meantBy(pressed, afterG)).toBe(want);
  });

  it('are a dialog’s while one is open', () => {
    const dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.open = true;
    expect(meantBy(press('k', { ctrlKey: true }), false)).toBeNull();
    dialog.remove();
  });
});
