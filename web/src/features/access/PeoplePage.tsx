import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { PAGE_SIZES } from '../../app/search';
import type { PeopleQuery } from '../../graph/generated/graphql';
import { PeopleDocument } from '../../graph/generated/graphql';
import { ConnectionPage } from '../../ui/page/ConnectionPage';
import { useConnection } from '../../ui/page/useConnection';
import type { DataColumn } from '../../ui/table/columns';
import { whereOf } from './binding';
import { Subject, Why } from './columns';
import type { AccessSearch } from './search';

type People = NonNullable<NonNullable<PeopleQuery['instance']>['people']>;
type Person = People['nodes'][number];

const idOf = ({ subject }: Person) => `${subject.kind} ${subject.name}`;
const attributesOf = ({ subject }: Person) => ({ 'data-person': subject.name });
const people = (data: PeopleQuery) => data.instance?.people;

/** Who has a role on an instance, and what gives it to them. */
export function PeoplePage({ search, instance }: { search: AccessSearch; instance: string }) {
  const { t } = useTranslation();
  const view = useConnection({
    document: PeopleDocument,
    variables: useMemo(
      () => ({ instance, first: search.size ?? PAGE_SIZES[0], after: search.after ?? null }),
      [instance, search.size, search.after],
    ),
    of: people,
  });
  const columns = useMemo(
    (): DataColumn<Person>[] => [
      {
        id: 'who',
        header: t('access.who'),
        namesRow: true,
        attributes: ({ subject }) => ({ title: subject.name }),
        cell: ({ subject }) => <Subject subject={subject} />,
      },
      {
        id: 'roles',
        header: t('access.roles'),
        cell: ({ bindings }) => (
          <ul>
            {bindings.map((binding) => (
              <li key={binding.id} className="wrap">
                <strong>{binding.role}</strong> {whereOf(binding, t)} <Why binding={binding} />
              </li>
            ))}
          </ul>
        ),
      },
    ],
    [t],
  );
  return (
    <ConnectionPage
      lead={t('access.leadPeople', { instance })}
      filters={
        <search className="filters">
          <Link to="/access" search={{ instance }}>
            {t('access.byBinding')}
          </Link>
        </search>
      }
      search={search}
      narrowed={false}
      view={view}
      texts={{
        empty: t('access.none'),
        emptyHint: t('access.noneHint'),
        none: t('access.none'),
        noneHint: t('access.noneHint'),
        badCursor: t('access.badCursor'),
        keys: t('access.keys'),
      }}
      table={{ name: 'people', label: t('access.people'), columns, rowId: idOf, rowAttributes: attributesOf }}
    />
  );
}
