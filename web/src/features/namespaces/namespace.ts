import type {
  CreateNamespaceInput,
  NamespaceContentsQuery,
  NamespaceRowFragment,
} from '../../graph/generated/graphql';
import { compareText } from '../../graph/live/list';
import type { PairRow } from '../../ui/form/PairsField';

export type Row = NamespaceRowFragment;

/** The label by which Karmada leaves a namespace out when it makes them in members. */
const SKIPPED = 'namespace.karmada.io/skip-auto-propagation';

/** Whether a namespace says of itself that it is not for members. */
export function isKeptBack({ labels }: Pick<Row, 'labels'>): boolean {
  return labels?.some(({ key, value }) => key === SKIPPED && value === 'true') ?? false;
}

/** Labels that people gave: not those that say again what other columns do. */
export function ownLabels({ labels }: Pick<Row, 'labels'>) {
  return (labels ?? []).filter(({ key }) => key !== SKIPPED && key !== 'kubernetes.io/metadata.name');
}

/** The order of the server within an instance, over all of them. */
export function compareRows(a: Row, b: Row): number {
  return compareText(a.instance?.name ?? '', b.instance?.name ?? '') || compareText(a.name, b.name);
}

type Node = NonNullable<NamespaceContentsQuery['nodes'][number]>;
export type Contents = Omit<Extract<Node, { phase: unknown }>, 'id' | '__typename'>;

/** What is in namespaces, by their ids; those that are gone are left out. */
export function contentsOf(
  nodes: NamespaceContentsQuery['nodes'] | undefined,
): ReadonlyMap<string, Contents> {
  const known = new Map<string, Contents>();
  for (const node of nodes ?? []) {
    if (node && 'phase' in node) known.set(node.id, node);
  }
  return known;
}

export interface Values {
  instance: string;
  name: string;
  labels: PairRow[];
  propagate: boolean;
}

/** What is sent for what was filled in, as it was typed. */
export function inputOf({ instance, name, labels, propagate }: Values): CreateNamespaceInput {
  return {
    instance,
    name,
    labels: labels.map(({ key = '', value = '' }) => ({ key, value })),
    propagate,
  };
}
