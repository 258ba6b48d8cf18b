import { useNavigate } from '@tanstack/react-router';
import { Select } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { typeText } from '../../app/objects';
import type { ServedKind } from './kinds';
import { commonKinds, matchesKind } from './kinds';

interface KindPickerProps {
  kinds: readonly ServedKind[];
  type?: string;
}

interface Option {
  value: string;
  label: string;
  served: ServedKind;
}

/** Picks the kind that is listed: the common ones first, then by API group. */
export function KindPicker({ kinds, type }: KindPickerProps) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/resources' });
  const groups = useMemo(() => {
    const option = (served: ServedKind, prefix = ''): Option => ({
      value: prefix + typeText(served),
      label: served.kind,
      served,
    });
    const names = [...new Set(kinds.map(({ group }) => group))];
    return [
      { label: t('resources.common'), options: commonKinds(kinds).map((served) => option(served, COMMON)) },
      ...names.map((group) => ({
        label: group || t('resources.core'),
        options: kinds.filter((kind) => kind.group === group).map((served) => option(served)),
      })),
    ];
  }, [kinds, t]);
  return (
    <Select<string, Option>
      className="filter-kind"
      aria-label={t('filter.kind')}
      placeholder={t('resources.pickKind')}
      popupMatchSelectWidth={260}
      value={type}
      // Its own text also where no instance serves it.
      labelRender={({ label, value }) => label ?? value}
      options={groups as never}
      showSearch={{
        // A group is asked, too: it stays while one of its kinds does.
        filterOption: (typed, option) => {
          const { served } = (option ?? {}) as Partial<Option>;
          return served !== undefined && matchesKind(served, typed.trim());
        },
      }}
      onChange={(value) =>
        void navigate({
          to: '.',
          search: ({ instance }) => ({ instance, type: value.replace(COMMON, '') }),
        })
      }
    />
  );
}

/** A kind stands twice in the list, and each option needs a value of its own. */
const COMMON = 'common:';
