// The first page must stay small: entry, what it imports, and what those import, gzipped.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET_KB = 350;
const dist = new URL('../dist/', import.meta.url);

/** @type {Record<string, {file: string, imports?: string[], css?: string[]}>} */
const manifest = JSON.parse(readFileSync(new URL('assets/manifest.json', dist), 'utf8'));

/** @param {string} name @param {Set<string>} seen */
function reach(name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const next of manifest[name]?.imports ?? []) reach(next, seen);
  return seen;
}

/** @param {string} file */
const gzipped = (file) => gzipSync(readFileSync(new URL(file, dist))).length;

const chunks = [...reach('index.html')]
  .map((name) => manifest[name]?.file)
  .filter((file) => file !== undefined);
if (chunks.length === 0)
  throw new Error('dist/assets/manifest.json names no index.html: run `npm run build`');

let total = 0;
for (const file of chunks) {
  const size = gzipped(file);
  total += size;
  console.log(`${(size / 1024).toFixed(1).padStart(8)} KB  ${file}`);
}
console.log(`${(total / 1024).toFixed(1).padStart(8)} KB  of ${BUDGET_KB} KB allowed for the first page`);
if (total > BUDGET_KB * 1024) process.exit(1);
