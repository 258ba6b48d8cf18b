import { describe, expect, it } from 'vitest';
import { backoff, socketURL } from './socket';

describe('socketURL', () => {
  it.each([
    ['http:', 'ws://kairship:8080/graphql'],
    ['https:', 'wss://kairship:8080/graphql'],
  ])('is as safe as the page: %s', (protocol, want) => {
    expect(socketURL({ protocol, host: 'kairship:8080' })).toBe(want);
  });
});

describe('backoff', () => {
  it('doubles up to 15 s', () => {
    expect([0, 1, 2, 3].map((retries) => backoff(retries, 1))).toEqual([500, 1000, 2000, 4000]);
    expect(backoff(1_000, 1)).toBe(15_000);
  });

  it('spreads viewers over the second half of the wait', () => {
    expect(backoff(2, 0)).toBe(1000);
    expect(backoff(2, 0.5)).toBe(1500);
  });
});
