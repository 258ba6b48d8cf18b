import { ACTION_STORIES } from './actions';
import { LIVE_STORIES } from './live';
import { NOTICE_STORIES } from './notices';
import { PAGE_STORIES } from './pages';
import type { Story } from './story';
import { TABLE_STORIES } from './tables';

/** Every component of the kit in each of its states. */
export const STORIES: readonly Story[] = [
  ...TABLE_STORIES,
  ...PAGE_STORIES,
  ...ACTION_STORIES,
  ...NOTICE_STORIES,
  ...LIVE_STORIES,
];
