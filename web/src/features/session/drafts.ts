import { onSessionChange } from './session';

/** What somebody entered and has not sent: who signs in next in the same tab finds none of it. */
export function draftsOf<Draft>(): Map<string, Draft> {
  const drafts = new Map<string, Draft>();
  onSessionChange(() => drafts.clear());
  return drafts;
}
