// What oidc-provider is told: two clients, four users, and no feature that neither of them needs.
import Provider from 'oidc-provider';

import { interactions } from './interactions.js';
import { newPages, policy } from './pages.js';

// Node.js 20 has had it since one of its last releases only; oidc-provider relies on it.
URL.parse ??= (input, base) => (URL.canParse(input, base) ? new URL(input, base) : null);

const hour = 60 * 60;

// A session ends with the browser, or after a working day.
const session = 10 * hour;

export function newProvider({
  issuer,
  users,
  password,
  clientSecret,
  redirectURIs,
  postLogoutRedirectURIs,
  keys,
}) {
  const accounts = new Map(users.map((u) => [u.sub, u]));
  const pages = newPages(issuer);
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'kairship',
        client_name: 'Kairship',
        client_secret: clientSecret,
        application_type: 'web',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: redirectURIs,
        post_logout_redirect_uris: postLogoutRedirectURIs,
      },
      {
        client_id: 'kairship-cli',
        client_name: 'Kairship on the command line',
        application_type: 'native', // whose loopback address may have any port
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code'],
        redirect_uris: ['http://127.0.0.1/callback'],
      },
    ],
    responseTypes: ['code'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },

    scopes: ['openid'],
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    // Kairship reads ID tokens, not the page of user information.
    conformIdTokenClaims: false,
    async findAccount(_ctx, sub) {
      const user = accounts.get(sub);
      if (!user) {
        return undefined;
      }
      const { name, email, groups } = user;
      return { accountId: sub, claims: async () => ({ sub, name, email, email_verified: true, groups }) };
    },
    loadExistingGrant,

    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: pages.deviceCode,
        userCodeConfirmSource: pages.deviceConfirm,
        successSource: pages.deviceDone,
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: pages.signOut,
        postLogoutSuccessSource: pages.signedOut,
      },
    },
    renderError: pages.error,
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },

    // Its own memory, at most 1,000 entries and gone when it stops: people sign in again.
    adapter: undefined,
    jwks: keys.jwks,
    cookies: {
      keys: keys.cookies,
      // Cookies do not tell ports apart: Kairship's go to the same address.
      names: {
        session: 'playground_session',
        interaction: 'playground_interaction',
        resume: 'playground_resume',
      },
      long: { httpOnly: true, sameSite: 'lax', secure: true, signed: true },
      short: { httpOnly: true, sameSite: 'lax', secure: true, signed: true },
    },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      DeviceCode: 10 * 60,
      Grant: session,
      IdToken: hour,
      Interaction: 10 * 60,
      Session: session,
    },
  });

  provider.use(harden);
  provider.use(interactions({ provider, accounts, password, pages }));
  report(provider);
  return provider;
}

// loadExistingGrant has nobody asked whether Kairship may know who they are: both belong to the fleet. A
// program on the command line could be anybody's: oidc-provider asks for it all the same.
async function loadExistingGrant(ctx) {
  const { client, provider, session: current, result } = ctx.oidc;
  const id = result?.consent?.grantId ?? current.grantIdFor(client.clientId);
  const known = id && (await provider.Grant.find(id));
  if (known) {
    return known;
  }
  const grant = new provider.Grant({ clientId: client.clientId, accountId: current.accountId });
  grant.addOIDCScope('openid profile email groups');
  await grant.save();
  return grant;
}

// harden answers /healthz, and keeps pages to what is on them. oidc-provider adds the digest of a script
// that it writes itself.
async function harden(ctx, next) {
  ctx.set({
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': policy,
  });
  if (ctx.path === '/healthz') {
    ctx.body = 'ok\n';
    return;
  }
  await next();
}

// report writes who signed in and what went wrong, and nothing that opens a door.
function report(provider) {
  const line = (message, fields) =>
    console.log(JSON.stringify({ time: new Date().toISOString(), message, ...fields }));
  const who = (ctx) => ({
    client: ctx.oidc?.client?.clientId,
    user: ctx.oidc?.session?.accountId ?? ctx.oidc?.account?.accountId,
  });
  for (const event of ['authorization.success', 'device_authorization.success', 'end_session.success']) {
    provider.on(event, (ctx) => line(event, who(ctx)));
  }
  for (const event of [
    'authorization.error',
    'device_authorization.error',
    'end_session.error',
    'grant.error',
    'discovery.error',
    'jwks.error',
    'userinfo.error',
  ]) {
    provider.on(event, (ctx, err) =>
      line(event, {
        ...who(ctx),
        error: err.message,
        description: err.error_description,
        detail: err.error_detail,
      }),
    );
  }
  provider.on('server_error', (ctx, err) => line('server_error', { path: ctx.path, error: err.stack }));
}
