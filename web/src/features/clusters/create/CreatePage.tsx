import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Segmented, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../app/permission';
import { Blank } from '../../../ui/Notices';
import { PageHead } from '../../../ui/page/PageHead';
import { Operation } from '../operation/Operation';
import { useOperation } from '../operation/useOperation';
import '../texts/late';
import { AttachForm } from './AttachForm';
import { CreateForm } from './CreateForm';

/** Makes an instance, by installing a control plane or by attaching one that runs, and follows how it comes to be. */
export function CreatePage() {
  const { t } = useTranslation();
  const { operation } = useSearch({ from: '/signed-in/new-instance' });
  return (
    <div className="page form-page">
      <nav className="crumbs" aria-label={t('app.crumbs')}>
        <Link to="/clusters" search={{}}>
          {t('clusters.title')}
        </Link>
      </nav>
      <PageHead />
      {operation ? <Making id={operation} /> : <Form />}
    </div>
  );
}

function Form() {
  const { t } = useTranslation();
  const { how } = useSearch({ from: '/signed-in/new-instance' });
  const navigate = useNavigate();
  const { allowed } = usePermission('own');
  if (allowed === null) return <Skeleton active title={false} paragraph={{ rows: 8 }} />;
  if (!allowed) {
    return (
      <Blank title={t('make.notAllowed')} hint={t('make.notAllowedHint')}>
        <Link to="/clusters">{t('clusters.title')}</Link>
      </Blank>
    );
  }
  const close = () => void navigate({ to: '/clusters' });
  const done = (operation: string) => void navigate({ to: '/new-instance', search: { how, operation } });
  return (
    <>
      <Segmented<'create' | 'attach'>
        aria-label={t('control.source')}
        value={how ?? 'create'}
        options={[
          { value: 'create', label: t('make.managed') },
          { value: 'attach', label: t('make.attached') },
        ]}
        onChange={(how) =>
          void navigate({
            to: '/new-instance',
            search: { how: how === 'attach' ? how : undefined },
            replace: true,
          })
        }
      />
      {how === 'attach' ? <AttachForm close={close} done={done} /> : <CreateForm close={close} done={done} />}
    </>
  );
}

function Making({ id }: { id: string }) {
  const { t } = useTranslation();
  const { how } = useSearch({ from: '/signed-in/new-instance' });
  return (
    <Operation view={useOperation(id)}>
      {({ state, instanceName }) =>
        state === 'SUCCEEDED' ? (
          <>
            <Link to="/clusters/$instance" params={{ instance: instanceName }}>
              {t('make.toInstance', { name: instanceName })}
            </Link>
            <Link to="/join-cluster" search={{ instance: instanceName }}>
              {t('make.joinNext')}
            </Link>
          </>
        ) : (
          <Link to="/new-instance" search={{ how }}>
            {t('make.again')}
          </Link>
        )
      }
    </Operation>
  );
}
