import { useTranslation } from 'react-i18next';
import type { TopologyNode } from './graph';

interface NodeText {
  title: string;
  /** Everything that it says, in a sentence. */
  label: string;
}

/** What a node of the topology is called. */
export function useNodeText(node: TopologyNode): NodeText {
  const { t } = useTranslation();
  const { name, kind, stage, cluster, state, missing, count } = node;
  const title = missing
    ? t(`topology.missing.${stage}`)
    : count === undefined
      ? name
      : t('topology.healthyPods', { count });
  const what = kind || t(`topology.stage.${stage}`);
  const parts = [
    count === undefined && !missing ? `${what} ${name}` : title,
    cluster && t('topology.in', { cluster }),
    state,
  ];
  return { title, label: parts.filter(Boolean).join(', ') };
}
