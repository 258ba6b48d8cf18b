/** Texts of what is done to several objects at once: they come with it. */
export const en = {
  bulk: {
    column: 'Selection',
    select: 'Select {{name}}',
    all: 'Select all on this page',
    region: 'Selected objects',
    chosen_one: '{{count}} selected',
    chosen_other: '{{count}} selected',
    clear: 'Clear selection',
    tooMany: 'Select at most {{most}} to delete them at once.',
    deleteTitle_one: 'Delete {{count}} object',
    deleteTitle_other: 'Delete {{count}} objects',
    confirm_one: 'Type {{count}}, the number of objects, to confirm',
    confirm_other: 'Type {{count}}, the number of objects, to confirm',
    notTheNumber: 'Type {{count}}.',
    deleted: 'Deleted',
    outcome: { waiting: 'Waiting', refused: 'Refused' },
    outcomes: 'Outcome of each object',
    summary: '{{done}} of {{total}} done, {{refused}} refused, {{waiting}} waiting.',
    leftOut: 'Left out',
  },
};
