// What somebody changed in a manifest, as a JSON patch (RFC 6902): only that is sent, so that fields which the page
// does not know stay as they are.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type Operation = { op: 'add' | 'replace'; path: string; value: Json } | { op: 'remove'; path: string };

export function patchOf(from: Json, to: Json, path = ''): Operation[] {
  if (isObject(from) && isObject(to)) {
    return [
      ...Object.keys(from)
        .filter((key) => !Object.hasOwn(to, key))
        .map((key): Operation => ({ op: 'remove', path: `${path}/${escaped(key)}` })),
      ...Object.entries(to).flatMap(([key, value]): Operation[] => {
        const at = `${path}/${escaped(key)}`;
        const before = from[key];
        return before === undefined || !Object.hasOwn(from, key)
          ? [{ op: 'add', path: at, value }]
          : patchOf(before, value, at);
      }),
    ];
  }
  if (Array.isArray(from) && Array.isArray(to)) return patchOfList(from, to, path);
  return Object.is(from, to) ? [] : [{ op: 'replace', path, value: to }];
}

/** Item by item; what is longer grows or shrinks at its end, the last one first. */
function patchOfList(from: readonly Json[], to: readonly Json[], path: string): Operation[] {
  const both = Math.min(from.length, to.length);
  const operations: Operation[] = [];
  for (let at = 0; at < both; at++) {
    operations.push(...patchOf(from[at] ?? null, to[at] ?? null, `${path}/${at}`));
  }
  for (let at = from.length - 1; at >= both; at--) operations.push({ op: 'remove', path: `${path}/${at}` });
  for (const value of to.slice(both)) operations.push({ op: 'add', path: `${path}/-`, value });
  return operations;
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 6901. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** What the API server sets itself: a change of it is no change. */
const SERVERS =
  /^\/(status|metadata\/(managedFields|uid|resourceVersion|generation|creationTimestamp))(\/|$)/;

/** Paths that somebody changed although only the API server sets them. */
export function serversOwn(operations: readonly Operation[]): string[] {
  return operations.map(({ path }) => path).filter((path) => SERVERS.test(path));
}

/** Paths that say which object it is: another one would be another object. */
export function identityOf(operations: readonly Operation[]): string[] {
  return operations
    .map(({ path }) => path)
    .filter((path) => /^\/(apiVersion|kind|metadata\/(name|namespace))$/.test(path));
}
