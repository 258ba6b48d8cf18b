import type { Words } from '../../../i18n/words';
import type { en } from './en';

export const zh: Words<typeof en> = {
  eventsPage: {
    lead: '控制面的事件，最新的在前，实时更新。',
    leadMembers: '成员集群的事件，最新的在前。不实时更新：请刷新以重新读取。',
    anyType: '全部类型',
    anyReason: '全部原因',
    clusters: '集群',
    controlPlane: '控制面',
    since: '起始时间',
    anySince: '不限时间',
    span: { minutes: '最近 10 分钟', half: '最近 30 分钟', hour: '最近 1 小时', day: '最近 24 小时' },
    empty: '没有匹配的事件',
    emptyHint: '请放宽或清除筛选条件。',
    none: '没有事件',
    noneHint: 'API 服务器通常只保留约一小时的事件。新事件发生时会显示在这里。',
    badCursor: '列表的这一页已不存在。',
    keys: '方向键在行间移动',
  },
};
