import type { ComponentProps } from 'react';
import { Combobox } from '../app/palette/Combobox';
import type { Choice } from '../app/palette/choices';
import { PaletteFoot } from '../app/palette/PaletteFoot';
import type { Story } from './story';

const nothing = () => {};

const choice = (group: Choice['group'], label: string, more: Partial<Choice> = {}): Choice => ({
  group,
  key: `${group}/${label}`,
  label,
  run: nothing,
  ...more,
});

const CHOICES: Choice[] = [
  choice('instances', 'asia', { state: 'RUNNING', kind: 'Asia Pacific' }),
  choice('clusters', 'tokyo', { state: 'OFFLINE', detail: 'asia' }),
  choice('workloads', 'shop/cart', { kind: 'Deployment', detail: 'asia / hangzhou, singapore and 2 more' }),
  choice('workloads', `shop/${'a-very-long-name-'.repeat(12)}`, { kind: 'Deployment', detail: 'asia' }),
  choice('objects', 'shop/cart-6c9f', { kind: 'Pod', detail: 'asia / tokyo · opens its workload' }),
  choice('pages', 'Workloads', { detail: 'g w' }),
  choice('actions', 'Appearance: Dark'),
];

const combobox = (state: string, typed: string, choices: Choice[]): Story => ({
  of: 'Combobox',
  state,
  render: () => (
    <Combobox typed={typed} choices={choices} change={nothing} choose={nothing} close={nothing} />
  ),
});

type Foot = ComponentProps<typeof PaletteFoot>;

const foot = (
  state: string,
  change: Partial<Foot['state']>,
  more: Partial<Omit<Foot, 'state'>> = {},
): Story => ({
  of: 'PaletteFoot',
  state,
  render: () => (
    <PaletteFoot
      state={{ typed: true, invalid: false, busy: false, count: 7, more: false, ...change }}
      problems={[]}
      doubts={{ notSearched: [], old: [] }}
      {...more}
    />
  ),
});

export const PALETTE_STORIES: Story[] = [
  combobox('choices', 'a', CHOICES),
  combobox('nothing found', 'zzz', []),
  foot('before anything is typed', { typed: false }),
  foot('searching', { busy: true }),
  foot('nothing found', { count: 0 }),
  foot('no name', { invalid: true }),
  foot('more', { more: true }),
  foot(
    'in doubt',
    {},
    {
      doubts: { notSearched: ['europe'], old: ['asia / tokyo', 'asia / singapore'] },
      problems: [{ code: 'NETWORK', message: 'Failed to fetch', retryable: true }],
    },
  ),
];
