import type { Words } from '../../../i18n/words';
import type { en } from './en';

export const zh: Words<typeof en> = {
  namespaceDeletion: {
    button: '删除 {{name}}',
    lead: 'Karmada 也会在每个拥有它的成员集群中将其删除，连同其中的所有内容。',
    cascade: '同时删除其中的内容',
    cascadeHint: '不选时，只会删除没有工作负载、服务、配置、存储卷和策略的命名空间。',
  },
};
