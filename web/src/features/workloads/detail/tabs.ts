/** Tabs of a page differ in what follows the question mark, and in nothing else. */
export const TAB_OPTIONS = { exact: true, includeSearch: true };
