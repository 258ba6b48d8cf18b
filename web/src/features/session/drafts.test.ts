// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { draftsOf } from './drafts';
import { refused, signIn } from './session';

it.each([
  ['who was refused', refused],
  ['who comes next', () => signIn('another')],
])('keeps nothing for %s', (_, change) => {
  signIn('one');
  const drafts = draftsOf<string>();
  drafts.set('asia', 'kind: Secret');
  change();
  expect(drafts.size).toBe(0);
});
