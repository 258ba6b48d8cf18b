import { ACTION_STORIES } from './actions';
import { DETAIL_STORIES } from './detail';
import { FLEET_STORIES } from './fleet';
import { FILTER_STORIES } from './filters';
import { LIVE_STORIES } from './live';
import { NOTICE_STORIES } from './notices';
import { OVERVIEW_STORIES } from './overview';
import { PAGE_STORIES } from './pages';
import { PALETTE_STORIES } from './palette';
import { ROWS_STORIES } from './rows';
import type { Story } from './story';
import { TABLE_STORIES } from './tables';

/** Every component of the kit in each of its states, and those of pages that say much. */
export const STORIES: readonly Story[] = [
  ...TABLE_STORIES,
  ...PAGE_STORIES,
  ...ACTION_STORIES,
  ...NOTICE_STORIES,
  ...FILTER_STORIES,
  ...LIVE_STORIES,
  ...OVERVIEW_STORIES,
  ...PALETTE_STORIES,
  ...DETAIL_STORIES,
  ...FLEET_STORIES,
  ...ROWS_STORIES,
];
