import type { Words } from '../../../i18n/words';
import type { en } from './en';

export const zh: Words<typeof en> = {
  signIn: {
    title: '登录 Kairship',
    lead: '在一处查看全部 Karmada 实例、集群与工作负载。',
    token: 'Bearer 令牌',
    placeholder: '粘贴令牌',
    hint: '令牌只保存在当前标签页，关闭标签页后即被清除。',
    how: '在演练环境中，用以下命令获取',
    submit: '登录',
    empty: '请先粘贴 Bearer 令牌。',
    refused: '令牌被拒绝：可能有误、已过期，或不是为本服务签发的。',
    with: '使用 {{provider}} 登录',
    other: '改用令牌登录',
    over: '会话已结束，请重新登录以继续。',
    expired: '令牌已失效，请重新登录以继续。',
    unreachable: '无法连接 Kairship：{{message}}。请确认服务在运行，然后重试。',
    failed: 'Kairship 返回错误：{{message}}',
    forbidden: '令牌有效，但没有任何角色。请联系 Kairship 管理员授权。',
    show: '显示',
    hide: '隐藏',
  },
};
