// The pages on which people sign in and consent, as routes of the provider.
import { createHash, timingSafeEqual } from 'node:crypto';

const route = /^\/interaction\/([\w-]+)(?:\/(cancel))?$/;
const maxForm = 4 << 10; // bytes; a name and a password are far fewer

export function interactions({ provider, accounts, password, pages }) {
  const digest = (text) => createHash('sha256').update(text).digest();
  const right = digest(password);
  const users = [...accounts.values()];

  async function signIn(ctx, { uid, params }) {
    if (ctx.method === 'GET') {
      return pages.signIn(ctx, { uid, users, chosen: params.login_hint });
    }
    const form = await readForm(ctx);
    const user = accounts.get(form.get('user') ?? '');
    if (!user) {
      return pages.signIn(ctx, { uid, users, problem: 'Choose who you are.' });
    }
    if (!timingSafeEqual(digest(form.get('password') ?? ''), right)) {
      return pages.signIn(ctx, { uid, users, chosen: user.sub, problem: 'The password is wrong.' });
    }
    return finish(ctx, { login: { accountId: user.sub, amr: ['pwd'], remember: false } }, false);
  }

  async function consent(ctx, { uid, params, prompt, session, grantId }) {
    if (ctx.method === 'GET') {
      const client = await provider.Client.find(params.client_id);
      return pages.consent(ctx, {
        uid,
        client: client.clientName,
        user: accounts.get(session.accountId),
        scopes: params.scope,
      });
    }
    await readForm(ctx);
    const grant =
      (grantId && (await provider.Grant.find(grantId))) ||
      new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    if (prompt.details.missingOIDCScope) {
      grant.addOIDCScope(prompt.details.missingOIDCScope.join(' '));
    }
    return finish(ctx, { consent: { grantId: await grant.save() } }, true);
  }

  // finish sends people back to the provider, which goes on with what they wanted.
  async function finish(ctx, result, mergeWithLastSubmission) {
    const location = await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission });
    ctx.status = 303;
    ctx.redirect(location);
  }

  return async function interaction(ctx, next) {
    const [, uid, cancel] = route.exec(ctx.path) ?? [];
    if (!uid) {
      return next();
    }
    ctx.set('Cache-Control', 'no-store');
    if (ctx.method !== 'GET' && ctx.method !== 'POST') {
      ctx.status = 405;
      ctx.set('Allow', 'GET, POST');
      return undefined;
    }
    let details;
    try {
      // By its cookie, which the browser sends for this very page only.
      details = await provider.interactionDetails(ctx.req, ctx.res);
    } catch (err) {
      if (err.name !== 'SessionNotFound') {
        throw err;
      }
      ctx.status = 400;
      return pages.error(ctx, {
        error: 'This page is no longer good',
        error_description: 'Go back to where you came from and sign in again.',
      });
    }
    if (cancel) {
      return finish(ctx, { error: 'access_denied', error_description: 'signing in was cancelled' }, false);
    }
    return details.prompt.name === 'login' ? signIn(ctx, details) : consent(ctx, details);
  };
}

async function readForm(ctx) {
  if (!ctx.is('application/x-www-form-urlencoded')) {
    ctx.throw(415, 'a form is expected');
  }
  const parts = [];
  let size = 0;
  // Left as it is: a form that is too long is answered, and what destroys the request takes the connection with it.
  for await (const part of ctx.req.iterator({ destroyOnReturn: false })) {
    size += part.length;
    if (size > maxForm) {
      ctx.throw(413, `a form has at most ${maxForm} bytes`);
    }
    parts.push(part);
  }
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'));
}
