import { expect, it } from 'vitest';
import { isLabelKey, isLabelValue, isNamespace, isPartOfName, replicasOf, wholeNumberOf } from './typed';

it.each([
  ['0', 0],
  ['7', 7],
  ['99999', 99_999],
  ['100000', 100_000],
])('takes %j as that many replicas', (typed, want) => {
  expect(replicasOf(typed)).toBe(want);
});

it.each([
  '',
  ' ',
  '-3',
  '-0',
  '+3',
  '999999',
  '100001',
  '1000000',
  '2.7',
  '2.0',
  '1e3',
  ' 5 ',
  '5 ',
  '07',
  '0x10',
  '1_000',
  '1,000',
  'five',
  '٥',
  'NaN',
  'Infinity',
])('takes %j as no number of replicas', (typed) => {
  expect(replicasOf(typed)).toBeNull();
});

it.each([
  ['', true],
  ['cart', true],
  ['Cart', true],
  ['cart.v1', true],
  [' cart', false],
  ['cart ', false],
  ['ca rt', false],
  [' ', false],
  ['x'.repeat(253), true],
  ['x'.repeat(254), false],
])('says whether %j may be part of a name', (typed, want) => {
  expect(isPartOfName(typed)).toBe(want);
});

it.each([
  ['', true],
  ['shop', true],
  ['kube-system', true],
  ['Shop', false],
  [' shop', false],
  ['shop ', false],
  ['-shop', false],
  ['a.b', false],
  ['x'.repeat(63), true],
  ['x'.repeat(64), false],
])('says whether %j is a namespace', (typed, want) => {
  expect(isNamespace(typed)).toBe(want);
});

it.each([
  ['tier', true],
  ['example.com/tier', true],
  ['Example.com/tier', false],
  ['a/b/c', false],
  ['-tier', false],
  ['', false],
  ['x'.repeat(64), false],
])('knows whether %j is the key of a label', (typed, want) => {
  expect(isLabelKey(typed)).toBe(want);
});

it.each([
  ['', true],
  ['gold', true],
  ['gold medal', false],
  ['x'.repeat(64), false],
])('knows whether %j is the value of a label', (typed, want) => {
  expect(isLabelValue(typed)).toBe(want);
});

it.each([
  ['30', 30],
  ['0', null],
  ['030', null],
  ['30.0', null],
  ['1e2', null],
  [' 30', null],
  ['86401', null],
])('takes %j as it stands, or not at all', (typed, want) => {
  expect(wholeNumberOf(typed, 1, 86_400)).toBe(want);
});
