// What an address carries after the question mark: plain repeated keys, so that people can read and
// write them (`?kind=job&kind=cronjob`), not encoded JSON.

export type RawSearch = Record<string, string | string[]>;

export function parseSearch(text: string): RawSearch {
  const search: RawSearch = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const before = search[key];
    if (before === undefined) search[key] = value;
    else search[key] = Array.isArray(before) ? [...before, value] : [before, value];
  }
  return search;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null || item === '') continue;
      params.append(key, String(item));
    }
  }
  const text = params.toString();
  return text ? `?${text}` : '';
}

export function one(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === 'number') return String(first);
  return typeof first === 'string' && first !== '' ? first : undefined;
}

export function many(value: unknown): string[] | undefined {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const words = list.filter((word): word is string => typeof word === 'string' && word !== '');
  return words.length > 0 ? [...new Set(words)] : undefined;
}

export const PAGE_SIZES = [50, 100, 200] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** The size of a page as an address says it; undefined for the usual one. */
export function pageSizeOf(raw: unknown): PageSize | undefined {
  const size = PAGE_SIZES.find((size) => String(size) === one(raw));
  return size === PAGE_SIZES[0] ? undefined : size;
}
