// The provider's pages: plain HTML, one small style sheet, nothing from elsewhere, no script.
import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 28rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; }
fieldset { border: 1px solid GrayText; border-radius: .5rem; margin: 0 0 1rem; padding: .5rem 1rem; }
.user { display: flex; gap: .75rem; padding: .4rem 0; align-items: baseline; }
small { display: block; }
label.field { display: block; margin: 0 0 1rem; }
input:not([type=radio]) { display: block; box-sizing: border-box; width: 100%; font: inherit; padding: .5rem; }
button { font: inherit; padding: .5rem 1.25rem; margin-right: .75rem; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
[role=alert] { border-left: 4px solid currentColor; padding-left: .75rem; font-weight: 600; }
code { font-size: 1.25rem; }
`;

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text) => String(text).replace(/[&<>"']/g, (c) => escapes[c]);

function render(ctx, title, body) {
  ctx.type = 'html';
  ctx.body = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} – Kairship playground</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

const alert = (problem) => (problem ? `<p role="alert">${escape(problem)}</p>` : '');

// newPages returns the pages; each writes itself into a request's answer.
export function newPages(issuer) {
  return {
    signIn(ctx, { uid, users, chosen, problem }) {
      if (problem) {
        ctx.status = 403;
      }
      const options = users.map(
        (u, i) => `<div class="user">
<input type="radio" name="user" id="user-${i}" value="${escape(u.sub)}" required${u.sub === chosen ? ' checked' : ''}>
<label for="user-${i}">${escape(u.sub)} (${escape(u.name)})<small>${escape(u.about ?? '')}</small></label>
</div>`,
      );
      render(
        ctx,
        'Sign in',
        `${alert(problem)}
<form method="post" action="/interaction/${escape(uid)}">
<fieldset>
<legend>Who are you?</legend>
${options.join('\n')}
</fieldset>
<label class="field">Password
<input type="password" name="password" autocomplete="current-password" required${problem ? ' aria-invalid="true" autofocus' : ''}>
<small>The same for all; <kbd>make up</kbd> printed the file that holds it.</small>
</label>
<button type="submit">Sign in</button>
<a href="/interaction/${escape(uid)}/cancel">Cancel</a>
</form>`,
      );
    },

    consent(ctx, { uid, client, user, scopes }) {
      render(
        ctx,
        'Let it know who you are?',
        `<p><strong>${escape(client)}</strong> asks who you are. It would learn that you are ${escape(user?.sub)} (${escape(scopes)}).</p>
<form method="post" action="/interaction/${escape(uid)}">
<button type="submit">Continue</button>
<a href="/interaction/${escape(uid)}/cancel">Cancel</a>
</form>`,
      );
    },

    signOut(ctx, form) {
      render(
        ctx,
        'Sign out?',
        `<p>You are signed in at <strong>${escape(issuer)}</strong> as ${escape(ctx.oidc.session.accountId)}.</p>
${form}
<button type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button>
<button type="submit" form="op.logoutForm">Stay signed in</button>`,
      );
    },

    signedOut(ctx) {
      render(ctx, 'You are signed out', '<p>You can close this page.</p>');
    },

    // deviceCode makes a form of its own: the one that oidc-provider hands over has no label.
    deviceCode(ctx, _form, _out, err) {
      const problem =
        {
          NoCodeError: 'Enter the code.',
          AbortedError: 'Signing in was cancelled.',
          NotFoundError: 'There is no such code. Enter it again.',
          ExpiredError: 'The code has expired. Ask for another one.',
          AlreadyUsedError: 'The code was used already. Ask for another one.',
        }[err?.name] ??
        (err && 'Something went wrong. Enter the code again.');
      render(
        ctx,
        'Sign in on another device',
        `${alert(problem)}
<form method="post" action="${escape(ctx.oidc.urlFor('code_verification'))}">
<input type="hidden" name="xsrf" value="${escape(ctx.oidc.session.state.secret)}">
<label class="field">The code that it shows
<input type="text" name="user_code" autocomplete="off" autofocus required>
</label>
<button type="submit">Continue</button>
</form>`,
      );
    },

    deviceConfirm(ctx, form, client, _device, code) {
      render(
        ctx,
        'Is this the code?',
        `<p><strong>${escape(client.clientName)}</strong> should show:</p>
<p><code>${escape(code)}</code></p>
<p>If it does not, or you did not ask for it, cancel.</p>
${form}
<button type="submit" form="op.deviceConfirmForm">Continue</button>
<button type="submit" form="op.deviceConfirmForm" value="yes" name="abort">Cancel</button>`,
      );
    },

    deviceDone(ctx) {
      render(ctx, 'You are signed in', '<p>Go back to the other device; you can close this page.</p>');
    },

    error(ctx, out) {
      render(
        ctx,
        'That did not work',
        `<p role="alert">${escape(out.error)}${out.error_description ? `: ${escape(out.error_description)}` : ''}</p>`,
      );
    },
  };
}

// Browsers hold a form to where it is finally redirected: Kairship and programs on the command line, at
// any port of this machine.
export const policy = [
  "default-src 'none'",
  'script-src',
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self' http://127.0.0.1:* https://127.0.0.1:*",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
