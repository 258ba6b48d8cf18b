// The keys of the provider: made at its first start and kept, so that what it signed stays good.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// openKeys returns {jwks, cookies}: the private key that signs ID tokens, and what signs cookies. To
// change them, delete keys.json and start the provider again.
export function openKeys(dir) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, 'keys.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (err) {
    if (err.code !== 'ENOENT') {
      // Its message could show some of the file.
      throw new Error(`${file} cannot be read (${err.code ?? 'it is not JSON'}); delete it to have new keys`);
    }
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: [randomBytes(32).toString('base64url')],
  };
  const next = `${file}.new`;
  writeFileSync(next, JSON.stringify(keys), { mode: 0o600 });
  renameSync(next, file); // whole or not at all
  return keys;
}
