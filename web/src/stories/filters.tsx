import { Tabs } from '../ui/page/Tabs';
import { KeyValues } from '../ui/KeyValues';
import { SinceFilter } from '../ui/SinceFilter';
import { SelectAllBox, SelectBox, SelectionProvider } from '../ui/table/selection';
import { ChoiceFilter, WordsFilter } from '../ui/WordsFilter';
import type { Story } from './story';

const LONG = 'a-word-as-long-as-kubernetes-lets-somebody-choose-for-a-namespace';
const nothing = () => {};

function words(chosen?: string[]) {
  return (
    <WordsFilter
      label="Fruit"
      placeholder="Any fruit"
      chosen={chosen}
      seen={['apple', null]}
      change={nothing}
    />
  );
}

function since(moment?: string) {
  return (
    <SinceFilter
      since={moment}
      label="Since"
      placeholder="At any time"
      options={[{ value: 'hour', label: 'Last hour' }]}
      change={nothing}
    />
  );
}

const SELECTION = {
  ids: new Set(['apple']),
  all: false,
  toggle: nothing,
  toggleAll: nothing,
  clear: nothing,
};

export const FILTER_STORIES: Story[] = [
  { of: 'WordsFilter', state: 'any', render: () => words() },
  { of: 'WordsFilter', state: 'some', render: () => words(['apple', 'pear']) },
  { of: 'WordsFilter', state: 'long content', render: () => words([LONG, 'pear', 'quince']) },
  {
    of: 'ChoiceFilter',
    state: 'one',
    render: () => (
      <ChoiceFilter
        label="Taste"
        placeholder="Any taste"
        chosen={['sweet']}
        options={[
          { value: 'sweet', label: 'Sweet' },
          { value: 'sour', label: 'Sour' },
        ]}
        change={nothing}
      />
    ),
  },
  { of: 'SinceFilter', state: 'any', render: () => since() },
  { of: 'SinceFilter', state: 'a moment', render: () => since('2026-03-01T12:00:00.000Z') },
  {
    of: 'Tabs',
    state: 'the second is current',
    render: () => (
      <Tabs
        label="Apple"
        current="yaml"
        tabs={[
          { tab: undefined, label: 'Overview' },
          { tab: 'yaml', label: 'YAML' },
        ]}
      />
    ),
  },
  {
    of: 'KeyValues',
    state: 'few',
    render: () => (
      <KeyValues
        title="Labels"
        pairs={[
          { key: 'app', value: 'cart' },
          { key: 'canary', value: '' },
        ]}
      />
    ),
  },
  {
    of: 'KeyValues',
    state: 'long content',
    render: () => (
      <KeyValues
        title="Annotations"
        pairs={Array.from({ length: 9 }, (_, index) => ({ key: `example.io/${LONG}-${index}`, value: LONG }))}
      />
    ),
  },
  {
    of: 'SelectBox',
    state: 'chosen and not',
    render: () => (
      <SelectionProvider selection={SELECTION}>
        <SelectAllBox label="Select all fruit" />
        <SelectBox id="apple" label="Select apple" />
        <SelectBox id="pear" label="Select pear" />
      </SelectionProvider>
    ),
  },
];
