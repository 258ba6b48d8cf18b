export const en = {
  eventsPage: {
    lead: 'Of control planes, the newest first; live.',
    leadMembers: 'Of members, the newest first. They are not followed: refresh to read them again.',
    anyType: 'Any type',
    anyReason: 'Any reason',
    clusters: 'Clusters',
    controlPlane: 'Control plane',
    since: 'Since',
    anySince: 'At any time',
    span: { minutes: 'Last 10 minutes', half: 'Last 30 minutes', hour: 'Last hour', day: 'Last 24 hours' },
    empty: 'No event matches',
    emptyHint: 'Loosen or clear the filters.',
    none: 'No events',
    noneHint: 'API servers keep events for about an hour. New ones appear here as they happen.',
    badCursor: 'This page of the list does not exist any more.',
    keys: 'Arrow keys move between rows',
  },
};
