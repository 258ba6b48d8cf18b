import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { Alert, Button, Input } from 'antd';
import type { SyntheticEvent } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '../app/icons';
import type { CheckResult } from './check';
import { checkToken } from './check';
import { cleanToken, signIn } from './session';

type Refusal = Exclude<CheckResult, { outcome: 'accepted' }> | { outcome: 'empty' };

export function SignInPage() {
  const { t } = useTranslation();
  const { to, why } = useSearch({ from: '/sign-in' });
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
    <main className="sign-in">
      <form className="sign-in-card" onSubmit={(event) => void submit(event)} aria-busy={busy}>
        <Logo />
        <h1>{t('signIn.title')}</h1>
        <p className="muted">{t('signIn.lead')}</p>
        <label htmlFor="token">{t('signIn.token')}</label>
        <Input.Password
          id="token"
          size="large"
          autoFocus
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
          {!refusal && why === 'refused' && <Alert type="warning" showIcon title={t('signIn.expired')} />}
        </div>
        <Button type="primary" size="large" htmlType="submit" block loading={busy}>
          {t('signIn.submit')}
        </Button>
      </form>
    </main>
  );
}

function RefusalText({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation();
  if (refusal.outcome === 'unreachable' || refusal.outcome === 'failed') {
    return t(`signIn.${refusal.outcome}`, { message: refusal.message });
  }
  return t(`signIn.${refusal.outcome}`);
}
