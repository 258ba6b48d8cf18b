import { useTranslation } from 'react-i18next';
import { Dialog } from '../ui/Dialog';
import { useAllowedNavigation } from './navigation';
import { PALETTE_KEYS } from './useKeys';

/** Which keys do what. */
export function Keys({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const pages = useAllowedNavigation().flatMap(({ key, label }) =>
    key ? [{ keys: ['g', key], does: t(label) }] : [],
  );
  return (
    <Dialog open close={close} title={t('keys.title')}>
      <div className="keys">
        <Section
          title={t('keys.anywhere')}
          rows={[
            { keys: PALETTE_KEYS, does: t('keys.palette') },
            { keys: ['?'], does: t('keys.help') },
            { keys: ['/'], does: t('keys.filter') },
            { keys: ['Esc'], does: t('keys.escape') },
          ]}
        />
        <Section title={t('keys.goTo')} rows={pages} />
        <Section
          title={t('keys.inLists')}
          rows={[
            { keys: ['↑', '↓'], does: t('keys.rows') },
            { keys: ['←', '→'], does: t('keys.within') },
            { keys: ['Enter'], does: t('keys.open') },
          ]}
        />
        <Section
          title={t('keys.inTerminals')}
          rows={[{ keys: ['Ctrl', 'Shift', 'L'], does: t('keys.leaveTerminal') }]}
        />
      </div>
    </Dialog>
  );
}

interface SectionProps {
  title: string;
  rows: { keys: readonly string[]; does: string }[];
}

function Section({ title, rows }: SectionProps) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
