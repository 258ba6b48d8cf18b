import { describe, expect, it } from 'vitest';
import { bytesText, coresText, shareOf } from '../../ui/amounts';

describe('amounts', () => {
  it.each([
    [0, '0 B'],
    [1536, '1.5 KiB'],
    [17_179_869_184, '16 GiB'],
    [137_438_953_472, '128 GiB'],
    [1.5 * 1024 ** 4, '1.5 TiB'],
  ])('says %d bytes as %s', (bytes, want) => {
    expect(bytesText(bytes)).toBe(want);
  });

  it.each([
    [0, '0'],
    [0.25, '0.25'],
    [12.04, '12'],
    [100, '100'],
    [128.4, '128'],
  ])('says %d cores as %s', (cores, want) => {
    expect(coresText(cores)).toBe(want);
  });

  it.each([
    [1, 4, 0.25],
    [5, 4, 1],
    [0, 0, null],
  ])('takes %d of %d for a share of %s', (used, total, want) => {
    expect(shareOf(used, total)).toBe(want);
  });
});
