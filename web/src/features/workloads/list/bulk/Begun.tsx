import { useTranslation } from 'react-i18next';
import { BulkDelete } from '../../../../app/bulk/BulkDelete';
import { BulkDialog } from '../../../../app/bulk/BulkDialog';
import {
  ProtectResourceDocument,
  RestartWorkloadDocument,
  ScaleWorkloadDocument,
} from '../../../../graph/generated/graphql';
import { TextField } from '../../../../ui/form/Field';
import { MOST_REPLICAS, replicasOf } from '../../../../ui/typed';
import type { BulkVerb, Sorted } from './verbs';

interface BegunProps extends Sorted {
  verb: BulkVerb;
  close: () => void;
}

/** The dialog of a verb, for the rows that it is for. */
export function Begun({ verb, rows, leftOut, close }: BegunProps) {
  const { t } = useTranslation();
  const left = leftOut.map(({ row, why }) => ({
    row,
    why: t(`workloadBulk.leftOut.${why}`, { kind: row.kind }),
  }));
  const count = rows.length;
  if (verb === 'delete') return <BulkDelete rows={rows} leftOut={left} close={close} />;
  const texts = {
    rows,
    leftOut: left,
    close,
    title: t(`workloadBulk.${verb}.title`, { count }),
    name: `bulk-${verb}`,
    lead: t(`workloadBulk.${verb}.lead`),
    submit: t(`workloadBulk.${verb}.submit`, { count }),
    done: t(`workloadBulk.${verb}.done`),
  };
  const failed = t(`workloadBulk.${verb}.failed`);
  switch (verb) {
    case 'restart':
      return (
        <BulkDialog
          {...texts}
          action={{ document: RestartWorkloadDocument, payload: (data) => data.restartWorkload, failed }}
          initial={{}}
          input={({ id, uid }) => ({ id, uid })}
        >
          <Named rows={rows} />
        </BulkDialog>
      );
    case 'protect':
    case 'unprotect':
      return (
        <BulkDialog
          {...texts}
          action={{ document: ProtectResourceDocument, payload: (data) => data.protectResource, failed }}
          initial={{}}
          input={({ id, uid }) => ({ id, uid, protected: verb === 'protect' })}
        >
          <Named rows={rows} />
        </BulkDialog>
      );
    case 'scale':
      return (
        <BulkDialog
          {...texts}
          action={{ document: ScaleWorkloadDocument, payload: (data) => data.scaleWorkload, failed }}
          initial={{ replicas: '' }}
          // The form is not sent unless this is a number.
          input={({ id, uid }, { replicas }) => ({ id, uid, replicas: replicasOf(replicas) ?? NaN })}
        >
          <Named rows={rows} />
          <TextField
            name="replicas"
            numeric
            label={t('scale.replicas')}
            hint={t('workloadBulk.scale.hint')}
            check={(typed) =>
              replicasOf(typed) === null ? t('scale.invalid', { typed, most: MOST_REPLICAS }) : null
            }
          />
        </BulkDialog>
      );
  }
}

/** To what it will be done, and how many replicas each asks for now. */
function Named({ rows }: Pick<Sorted, 'rows'>) {
  const { t } = useTranslation();
  return (
    <ul className="outcomes" tabIndex={0} aria-label={t('bulk.region')}>
      {rows.map(({ id, kind, namespace, name, replicas, instance }) => (
        <li key={id} className="wrap">
          <span className="kind">{kind}</span> {namespace}/{name}{' '}
          <span className="muted small">
            {instance?.name}
            {replicas !== null && ` · ${t('workloadBulk.replicas', { count: replicas })}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
