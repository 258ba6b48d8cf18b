// CPU and memory as people read them.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${round(value)} ${UNITS[unit] ?? ''}`;
}

export function coresText(cores: number): string {
  return round(cores);
}

/** The used part, 0 to 1; null when there is nothing to take a part of. */
export function shareOf(used: number, total: number): number | null {
  if (!(total > 0)) return null;
  return Math.min(1, Math.max(0, used / total));
}

function round(value: number): string {
  if (value === 0) return '0';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? trim(value.toFixed(1)) : trim(value.toFixed(2));
}

function trim(text: string): string {
  return text.replace(/\.?0+$/, '');
}
