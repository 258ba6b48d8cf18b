import type { Words } from '../../../i18n/words';
import type { en } from './en';

export const zh: Words<typeof en> = {
  kubeconfig: {
    button: 'Kubeconfig',
    title: '{{instance}} 的 kubeconfig',
    lead: '供 kubectl 以你本人的身份通过 Kairship 使用：权限以使用时的角色为准。包含控制面与每个成员集群的上下文。',
    cluster: '当前上下文',
    controlPlane: '{{instance}} 控制面',
    namespace: '命名空间',
    notANamespace: '“{{typed}}”不是命名空间：请填写小写字母、数字和“-”，最多 63 个字符，或留空。',
    lifetime: '有效期',
    for: { hour: '1 小时', hours: '8 小时', day: '1 天', days: '7 天', month: '30 天' },
    issue: '签发',
    failed: '未能签发。',
    once: '仅显示这一次，请像密码一样妥善保管。',
    ends: '有效期至 {{moment}}。',
    download: '下载 {{file}}',
    takeBack: '吊销我的全部 kubeconfig',
    takeBackSure: '吊销你的全部 kubeconfig？',
    takeBackHint: '所有实例的 kubeconfig 将在数秒内失效，包括他人正在使用的。',
    takeBackYes: '吊销',
    takeBackFailed: '未能吊销。',
    takenBack: '已吊销 {{moment}} 之前签发给你的全部 kubeconfig。',
  },
};
