// Asks a running server how well it keeps to GraphQL over HTTP: the audits of graphql-http.
//
//   KAIRSHIP_URL=https://kairship.example KAIRSHIP_TOKEN=… node audits/server.mjs
//
// Every audit that is not ok is printed. It fails for an error, and for a warning that has no reason below.
import { serverAudits } from 'graphql-http';

/**
 * Warnings that stay, by the audit's id, and why.
 * @type {Record<string, string>}
 */
const ACCEPTED = {};

const { KAIRSHIP_URL: base, KAIRSHIP_TOKEN: token } = process.env;
if (!base || !token) {
  console.error("KAIRSHIP_URL and KAIRSHIP_TOKEN are needed: a server's address and a bearer token for it");
  process.exit(2);
}

const audits = serverAudits({
  url: new URL('/graphql', base).href,
  fetchFn: (/** @type {string} */ url, /** @type {RequestInit} */ init = {}) =>
    fetch(url, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(10_000),
    }),
});

const counts = { ok: 0, notice: 0, warn: 0, accepted: 0, error: 0 };
for (const audit of audits) {
  // An audit throws when the server could not be asked at all.
  const result = await audit
    .fn()
    .catch((/** @type {unknown} */ cause) => ({ status: 'error', reason: String(cause), response: null }));
  if (result.status === 'ok') {
    counts.ok++;
    continue;
  }
  const accepted = result.status === 'warn' ? ACCEPTED[audit.id] : undefined;
  const kind = accepted ? 'accepted' : /** @type {'notice' | 'warn' | 'error'} */ (result.status);
  counts[kind]++;
  console.log(`${kind}  ${audit.id}  ${audit.name}`);
  console.log(`  ${result.reason}${result.response ? ` (status ${result.response.status})` : ''}`);
  if (accepted) console.log(`  accepted: ${accepted}`);
}
console.log(
  `${audits.length} audits: ${Object.entries(counts)
    .map(([kind, n]) => `${n} ${kind}`)
    .join(', ')}`,
);
process.exit(counts.error + counts.warn > 0 ? 1 : 0);
