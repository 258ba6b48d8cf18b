import type { Words } from '../../../i18n/words';
import type { en } from './en';

export const zh: Words<typeof en> = {
  bulk: {
    column: '选择',
    select: '选择 {{name}}',
    all: '选择本页全部',
    region: '已选对象',
    chosen_one: '已选 {{count}} 个',
    chosen_other: '已选 {{count}} 个',
    clear: '清除选择',
    tooMany: '一次最多选择 {{most}} 个进行删除。',
    deleteTitle_one: '删除 {{count}} 个对象',
    deleteTitle_other: '删除 {{count}} 个对象',
    confirm_one: '输入对象数量 {{count}} 以确认',
    confirm_other: '输入对象数量 {{count}} 以确认',
    notTheNumber: '请输入 {{count}}。',
    deleted: '已删除',
    outcome: { waiting: '等待中', refused: '被拒绝' },
    outcomes: '每个对象的结果',
    summary: '共 {{total}} 个：{{done}} 个完成，{{refused}} 个被拒绝，{{waiting}} 个等待中。',
    leftOut: '未包含',
  },
};
