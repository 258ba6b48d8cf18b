import { expect, it } from 'vitest';
import { breaking } from './schema-diff.mjs';

const BEFORE = `
  type Query {
    instances(first: Int = 20, filter: Filter): [Instance!]!
    old: Legacy @deprecated(reason: "use instances")
  }
  type Legacy { detail: Detail }
  type Detail { name: String }
  type Instance {
    name: String!
    state: State!
    title: String @deprecated(reason: "use name")
    clusters(first: Int, region: String @deprecated(reason: "use filter")): [String!]
  }
  enum State { RUNNING STOPPED GONE @deprecated(reason: "never") }
  input Filter { names: [String!] label: String @deprecated(reason: "use names") }
`;

/** @param from what stands in the schema once, @param to what stands there instead */
function changed(...pairs: [from: string, to: string][]): string {
  return pairs.reduce((text, [from, to]) => {
    expect(text.split(from), from).toHaveLength(2);
    return text.replace(from, to);
  }, BEFORE);
}

it.each<[string, [string, string][], string[]]>([
  ['the same', [], []],
  ['a new field', [['name: String!', 'name: String! id: ID']], []],
  ['a new optional argument', [['first: Int = 20', 'first: Int = 20, after: String']], []],
  ['a new value of an enum', [['RUNNING', 'RUNNING PAUSED']], []],
  ['what could be null no longer is', [['detail: Detail', 'detail: Detail!']], []],
  ['a field that is deprecated now', [['state: State!', 'state: State! @deprecated(reason: "x")']], []],
  ['a deprecated field is gone', [['title: String @deprecated(reason: "use name")', '']], []],
  ['a deprecated argument is gone', [[', region: String @deprecated(reason: "use filter")', '']], []],
  ['a deprecated value is gone', [[' GONE @deprecated(reason: "never")', '']], []],
  ['a deprecated input field is gone', [[' label: String @deprecated(reason: "use names")', '']], []],
  [
    'a deprecated field is gone with all that it led to',
    [
      ['old: Legacy @deprecated(reason: "use instances")', ''],
      ['type Legacy { detail: Detail }', ''],
      ['type Detail { name: String }', ''],
    ],
    [],
  ],
  ['a field is gone', [['state: State!', '']], ['Instance.state was removed.']],
  [
    'a type is gone',
    [
      ['type Detail { name: String }', ''],
      ['detail: Detail', 'x: Int'],
    ],
    ['Detail was removed.', 'Legacy.detail was removed.'],
  ],
  ['a value is gone', [['STOPPED', '']], ['STOPPED was removed from enum type State.']],
  ['an input field is gone', [['names: [String!]', '']], ['Filter.names was removed.']],
  ['an argument is gone', [['first: Int = 20, ', '']], ['Query.instances arg first was removed.']],
  [
    'a field may be null now',
    [['name: String!', 'name: String']],
    ['Instance.name changed type from String! to String.'],
  ],
  [
    'an argument has to be given now',
    [['first: Int = 20', 'first: Int = 20, after: String!']],
    ['A required arg after on Query.instances was added.'],
  ],
  [
    'an input field has to be given now',
    [['names: [String!]', 'names: [String!] zone: String!']],
    ['A required field zone on input type Filter was added.'],
  ],
  [
    'another default',
    [['first: Int = 20', 'first: Int = 50']],
    ['Query.instances arg first has changed defaultValue from 20 to 50.'],
  ],
])('%s', (_, pairs, want) => {
  expect(breaking(BEFORE, changed(...pairs))).toEqual(want);
});
