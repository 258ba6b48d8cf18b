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
