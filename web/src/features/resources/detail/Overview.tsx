import { useTranslation } from 'react-i18next';
import { ObjectLink } from '../../../app/ObjectLink';
import type { ObjectName } from '../../../app/objects';
import type { ResourceDetailFragment } from '../../../graph/generated/graphql';
import { Age } from '../../../ui/Age';
import { KeyValues } from '../../../ui/KeyValues';
import { ConditionMark } from '../columns';
import { Propagation } from './Propagation';

interface OverviewProps {
  instance: string;
  resource: ResourceDetailFragment;
}

/** Where an object is and why, and what it is. */
export function Overview({ instance, resource }: OverviewProps) {
  const { t } = useTranslation();
  const { owners, children, conditions, keys } = resource;
  return (
    <div className="detail">
      <div className="detail-main">
        <Propagation instance={instance} resource={resource} />
        {conditions.length > 0 && (
          <section>
            <h2>{t('resources.conditions')}</h2>
            <ul className="conditions">
              {conditions.map((condition) => (
                <li key={condition.type}>
                  <ConditionMark condition={condition} />{' '}
                  <span>{t(`resources.holds.${condition.status}`)}</span>
                  <span className="reason">{condition.reason}</span>
                  <span className="muted wrap">{condition.message}</span>
                  <span className="muted">
                    <Age since={condition.since} empty="" />
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
        {keys.length > 0 && (
          <section>
            <h2>
              {t('resources.keys')} <span className="muted">{keys.length}</span>
            </h2>
            <ul className="key-values">
              {keys.map(({ name, bytes }) => (
                <li key={name} className="wrap" data-key={name}>
                  <span className="mono">{name}</span>{' '}
                  <span className="muted">{t('resources.bytes', { count: bytes })}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Objects title={t('resources.owners')} instance={instance} objects={owners ?? []} />
        <Objects
          title={t('resources.children')}
          instance={instance}
          objects={children?.nodes ?? []}
          more={children?.pageInfo.hasNextPage}
        />
      </div>
      <aside className="detail-side">
        <section>
          <h2>{t('resources.object')}</h2>
          <dl className="pairs">
            <dt>{t('resources.apiVersion')}</dt>
            <dd className="wrap">{resource.apiVersion}</dd>
            {resource.namespace && (
              <>
                <dt>{t('resources.namespace')}</dt>
                <dd className="wrap">{resource.namespace}</dd>
              </>
            )}
            <dt>{t('resources.created')}</dt>
            <dd>
              <Age since={resource.createdAt} />
            </dd>
            {resource.generation > 0 && (
              <>
                <dt>{t('resources.generation')}</dt>
                <dd>{resource.generation}</dd>
              </>
            )}
          </dl>
        </section>
        <KeyValues title={t('resources.labelList')} pairs={resource.labels} />
        <KeyValues title={t('resources.annotations')} pairs={resource.annotations} />
      </aside>
    </div>
  );
}

interface ObjectsProps {
  title: string;
  instance: string;
  objects: readonly (ObjectName & { id: string })[];
  more?: boolean;
}

function Objects({ title, instance, objects, more = false }: ObjectsProps) {
  const { t } = useTranslation();
  if (objects.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul className="key-values">
        {objects.map((object) => (
          <li key={object.id} className="wrap">
            <span className="kind">{object.kind}</span> <ObjectLink instance={instance} object={object} />
          </li>
        ))}
        {more && <li className="muted">{t('resources.more')}</li>}
      </ul>
    </section>
  );
}
