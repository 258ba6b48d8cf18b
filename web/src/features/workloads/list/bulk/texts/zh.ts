import type { Words } from '../../../../../i18n/words';
import type { en } from './en';

export const zh: Words<typeof en> = {
  workloadBulk: {
    verb: {
      restart: '重启',
      scale: '扩缩容',
      protect: '启用删除保护',
      unprotect: '解除删除保护',
      delete: '删除',
    },
    replicas_one: '{{count}} 个副本',
    replicas_other: '{{count}} 个副本',
    none: {
      kind: '所选工作负载的类型都不支持此操作。',
      right: '你的角色不允许对任何所选工作负载执行此操作。',
      deleting: '它们正在删除。',
    },
    leftOut: {
      kind: '{{kind}} 不支持此操作。',
      right: '你的角色不允许。',
      deleting: '正在删除。',
    },
    restart: {
      title_one: '重启 {{count}} 个工作负载',
      title_other: '重启 {{count}} 个工作负载',
      lead: '逐个在各集群中重新创建它们的 Pod。',
      submit: '重启',
      done: '已重启',
      failed: '未能重启。',
    },
    scale: {
      title_one: '扩缩容 {{count}} 个工作负载',
      title_other: '扩缩容 {{count}} 个工作负载',
      lead: '此后每个工作负载要求相同的副本数。',
      hint: '每个模板要求的总副本数；由策略在各集群间划分或复制。',
      submit: '扩缩容',
      done: '已扩缩容',
      failed: '扩缩容未生效。',
    },
    protect: {
      title_one: '为 {{count}} 个工作负载启用删除保护',
      title_other: '为 {{count}} 个工作负载启用删除保护',
      lead: '在解除保护之前，无论谁请求删除，Karmada 都会拒绝。',
      submit: '启用保护',
      done: '已保护',
      failed: '未能启用删除保护。',
    },
    unprotect: {
      title_one: '解除 {{count}} 个工作负载的删除保护',
      title_other: '解除 {{count}} 个工作负载的删除保护',
      lead: '此后有删除权限的人可以删除它们。未受保护的保持不变。',
      submit: '解除保护',
      done: '未受保护',
      failed: '未能解除删除保护。',
    },
  },
};
