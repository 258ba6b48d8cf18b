import { Button, Popover, Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { ViewerDocument } from '../graph/generated/graphql';
import type { Language } from '../i18n';
import { LANGUAGES, changeLanguage } from '../i18n';
import { SignOut } from '../features/session/SignOut';
import { PersonIcon } from './icons';
import { APPEARANCES, useTheme } from './theme';
import { shortName, useViewer, whereText } from './viewer';

/** Who is signed in, with which rights, and how they like the page. */
export function ViewerMenu() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const name = useViewer()?.name ?? '';
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      content={<ViewerCard />}
    >
      <Button
        type="text"
        className="viewer-button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`${t('app.account')} ${name}`}
        icon={<PersonIcon />}
      >
        <span className="viewer-name">{shortName(name)}</span>
      </Button>
    </Popover>
  );
}

function ViewerCard() {
  const { t, i18n } = useTranslation();
  const theme = useTheme();
  const [{ data }] = useQuery({ query: ViewerDocument });
  const viewer = data?.viewer;
  return (
    <div className="viewer-card" role="dialog" aria-label={t('app.account')}>
      <p className="viewer-full">{viewer?.name}</p>
      <dl className="pairs">
        <dt>{t('app.roles')}</dt>
        <dd>
          {viewer?.roles.length
            ? viewer.roles.map((role) => (
                <div key={[role.name, role.instance, ...role.namespaces].join('/')}>
                  {role.name} <span className="muted">{whereText(role, t)}</span>
                </div>
              ))
            : t('app.noRoles')}
        </dd>
        <dt>{t('app.groups')}</dt>
        <dd>
          {viewer?.groups.map((group) => (
            <div key={group} className="mono wrap">
              {group}
            </div>
          ))}
        </dd>
      </dl>
      <fieldset>
        <legend>{t('app.theme.label')}</legend>
        <Segmented
          block
          aria-label={t('app.theme.label')}
          value={theme.appearance}
          options={APPEARANCES.map((value) => ({ value, label: t(`app.theme.${value}`) }))}
          onChange={(value) => theme.choose(value)}
        />
      </fieldset>
      <fieldset>
        <legend>{t('app.language')}</legend>
        <Segmented<Language>
          block
          aria-label={t('app.language')}
          value={i18n.language === 'zh' ? 'zh' : 'en'}
          options={LANGUAGES.map(({ code, label }) => ({ value: code, label }))}
          onChange={(value) => void changeLanguage(value)}
        />
      </fieldset>
      <div className="viewer-foot">
        <span className="muted">{data && t('app.version', { version: data.server.version })}</span>
        <SignOut>{t('app.signOut')}</SignOut>
      </div>
    </div>
  );
}
