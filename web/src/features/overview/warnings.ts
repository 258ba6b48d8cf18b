import { KINDS } from '../../app/kinds';
import type { Place } from '../../app/places';
import { isWorkloadKind } from '../../app/places';
import type { WarningRowFragment } from '../../graph/generated/graphql';

const MOST_SHOWN = 8;

/** The newest first; what is said again and again of one thing is one row. */
export function newestOf(rows: readonly WarningRowFragment[]): WarningRowFragment[] {
  const bySaid = new Map<string, WarningRowFragment>();
  for (const row of rows) {
    const { kind, namespace, name } = row.regarding;
    const said = [row.instance?.name, kind, namespace, name, row.reason].join('\u0000');
    const before = bySaid.get(said);
    const newest = before && before.lastSeen > row.lastSeen ? before : row;
    bySaid.set(said, { ...newest, count: row.count + (before?.count ?? 0) });
  }
  return [...bySaid.values()]
    .sort((a, b) => (a.lastSeen < b.lastSeen ? 1 : a.lastSeen > b.lastSeen ? -1 : a.id < b.id ? -1 : 1))
    .slice(0, MOST_SHOWN);
}

/** Where a warning can be looked into: what it is about, or the workloads around it. */
export function placeOfWarning({ instance, regarding }: WarningRowFragment): Place | null {
  const { kind, namespace, name } = regarding;
  if (!instance) return null;
  if (kind === 'Cluster') return { type: 'cluster', instance: instance.name, cluster: name };
  if (!namespace) return { type: 'instance', instance: instance.name };
  if (isWorkloadKind(kind)) return { type: 'workload', instance: instance.name, namespace, kind, name };
  // Karmada names a binding after its object and the object's kind.
  const of = kind === 'ResourceBinding' && KINDS.find(({ path }) => name.endsWith(`-${path}`));
  if (of) {
    const template = name.slice(0, -of.path.length - 1);
    return { type: 'workload', instance: instance.name, namespace, kind: of.kind, name: template };
  }
  return { type: 'namespace', instance: instance.name, namespace };
}
