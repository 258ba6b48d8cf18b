// The playground's OpenID Connect provider: oidc-provider with four users, for one machine.
// It listens where its issuer says, and only on loopback.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { parseArgs } from 'node:util';

import { openKeys } from './keys.js';
import { newProvider } from './provider.js';

const usage = `Usage: node server.js FLAGS
  --issuer=URL                    https://127.0.0.1:PORT; it listens there
  --tls-cert-file=FILE            certificate, PEM
  --tls-private-key-file=FILE     its key, PEM
  --data-dir=FOLDER               where the signing keys are kept; made when it is not there
  --users-file=FILE               users, JSON
  --password-file=FILE            the password of all users
  --client-secret-file=FILE       the secret of the client kairship
  --redirect-uri=URL              where kairship takes people back; may be repeated
  --post-logout-redirect-uri=URL  where kairship takes people who signed out; may be repeated`;

function flags() {
  const text = { type: 'string' };
  const list = { type: 'string', multiple: true };
  const { values } = parseArgs({
    options: {
      issuer: text,
      'tls-cert-file': text,
      'tls-private-key-file': text,
      'data-dir': text,
      'users-file': text,
      'password-file': text,
      'client-secret-file': text,
      'redirect-uri': list,
      'post-logout-redirect-uri': list,
    },
  });
  for (const name of [
    'issuer',
    'tls-cert-file',
    'tls-private-key-file',
    'data-dir',
    'users-file',
    'password-file',
    'client-secret-file',
    'redirect-uri',
  ]) {
    if (!values[name]) {
      throw new Error(`--${name} is missing`);
    }
  }
  const issuer = new URL(values.issuer);
  if (issuer.protocol !== 'https:' || issuer.hostname !== '127.0.0.1' || issuer.origin !== values.issuer) {
    throw new Error(`--issuer is ${values.issuer}; it must be https://127.0.0.1:PORT`);
  }
  return values;
}

// A secret of fewer characters is a mistake: the file was cut, or is another one.
const shortest = 16;

function secret(name, file) {
  const value = readFileSync(file, 'utf8').trim();
  if (value.length < shortest) {
    throw new Error(`--${name} names ${file}, which holds fewer than ${shortest} characters`);
  }
  return value;
}

function main() {
  const f = flags();
  const keys = openKeys(f['data-dir']);
  const provider = newProvider({
    issuer: f.issuer,
    users: JSON.parse(readFileSync(f['users-file'], 'utf8')),
    password: secret('password-file', f['password-file']),
    clientSecret: secret('client-secret-file', f['client-secret-file']),
    redirectURIs: f['redirect-uri'],
    postLogoutRedirectURIs: f['post-logout-redirect-uri'] ?? [],
    keys,
  });
  const server = createServer(
    {
      cert: readFileSync(f['tls-cert-file']),
      key: readFileSync(f['tls-private-key-file']),
      minVersion: 'TLSv1.2',
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
    },
    provider.callback(),
  );
  server.maxConnections = 500;
  server.on('error', fail);
  server.listen(Number(new URL(f.issuer).port), '127.0.0.1', () => console.log(`listening at ${f.issuer}`));
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, () => {
      // What runs is over in milliseconds; connections that wait for more are not waited for.
      server.close(() => process.exit(0));
      server.closeIdleConnections();
      setTimeout(() => process.exit(0), 2_000).unref();
    });
  }
}

function fail(err) {
  console.error(`oidc: ${err.message}`);
  process.exit(1);
}

try {
  main();
} catch (err) {
  if (err.code?.startsWith('ERR_PARSE_ARGS') || err.message.startsWith('--')) {
    console.error(usage);
  }
  fail(err);
}
