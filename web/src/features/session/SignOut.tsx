import { Alert, Button } from 'antd';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { signOut } from './session';

interface SignOutProps {
  primary?: boolean;
  children: ReactNode;
}

/** Ends the session. While the server cannot, it says so: its person is still signed in. */
export function SignOut({ primary = false, children }: SignOutProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const leave = async () => {
    setBusy(true);
    try {
      await signOut();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <>
      {failure && <Alert type="error" showIcon title={failure} />}
      <Button type={primary ? 'primary' : 'default'} loading={busy} onClick={() => void leave()}>
        {children}
      </Button>
    </>
  );
}
