import { useLoaderData, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { Alert, Button, Input } from 'antd';
import type { SyntheticEvent } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '../../app/icons';
import type { CheckResult } from './check';
import { checkToken } from './check';
import { cleanToken, signIn, signInURL } from './session';

type Refusal = Exclude<CheckResult, { outcome: 'accepted' }> | { outcome: 'empty' };

/** With the browser where there is a provider, and with a token everywhere. */
export function SignInPage() {
  const { t } = useTranslation();
  const { to, why } = useSearch({ from: '/sign-in' });
  const { provider, reason } = useLoaderData({ from: '/sign-in' });
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <Logo />
        <h1>{t('signIn.title')}</h1>
        <p className="muted">{t('signIn.lead')}</p>
        {(why === 'refused' || reason) && (
          <Alert
            type="warning"
            showIcon
            title={t(provider ? 'signIn.over' : 'signIn.expired')}
            description={reason || undefined}
          />
        )}
        {provider ? (
          <>
            <Button
              type="primary"
              size="large"
              block
              href={signInURL(provider.url, to)}
              className="sign-in-provider"
            >
              {t('signIn.with', { provider: provider.name })}
            </Button>
            <details>
              <summary>{t('signIn.other')}</summary>
              <TokenForm to={to} />
            </details>
          </>
        ) : (
          <TokenForm to={to} only />
        )}
      </div>
    </main>
  );
}

function TokenForm({ to, only = false }: { to?: string; only?: boolean }) {
  const { t } = useTranslation();
  const router = useRouter();
  const navigate = useNavigate();
  const [pasted, setPasted] = useState('');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const token = cleanToken(pasted);
    if (!token) {
      setRefusal({ outcome: 'empty' });
      return;
    }
    setBusy(true);
    const result = await checkToken(token);
    setBusy(false);
    if (result.outcome !== 'accepted') {
      setRefusal(result);
      return;
    }
    signIn(token);
    // GraphiQL is a document of its own.
    if (to?.startsWith('/graphiql')) location.assign(to);
    else if (to) router.history.push(to);
    else await navigate({ to: '/workloads' });
  };

  return (
    <form className="sign-in-token" onSubmit={(event) => void submit(event)} aria-busy={busy}>
      <label htmlFor="token">{t('signIn.token')}</label>
      <Input.Password
        id="token"
        size="large"
        autoFocus={only}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('signIn.placeholder')}
        value={pasted}
        aria-describedby="token-hint"
        aria-invalid={refusal !== null}
        onChange={(event) => {
          setPasted(event.target.value);
          setRefusal(null);
        }}
      />
      <p id="token-hint" className="muted small">
        {t('signIn.hint')} {t('signIn.how')} <code>make -s token</code>
      </p>
      <div className="sign-in-answer" role="alert">
        {refusal && <Alert type="error" showIcon title={<RefusalText refusal={refusal} />} />}
      </div>
      <Button type={only ? 'primary' : 'default'} size="large" htmlType="submit" block loading={busy}>
        {t('signIn.submit')}
      </Button>
    </form>
  );
}

function RefusalText({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation();
  if (refusal.outcome === 'unreachable' || refusal.outcome === 'failed') {
    return t(`signIn.${refusal.outcome}`, { message: refusal.message });
  }
  return t(`signIn.${refusal.outcome}`);
}
