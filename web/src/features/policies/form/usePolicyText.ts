import { useState } from 'react';
import type { Draft, Drafts } from './drafts';
import { isOpen, NO_DRAFTS, withDraft, withoutPath } from './drafts';
import type { Path } from './document';
import { edited, remove } from './document';

export interface PolicyText {
  text: string;
  drafts: Drafts;
  /** Whether something typed is nothing yet that could be sent. */
  incomplete: boolean;
  /** All of it is typed anew. */
  write: (text: string) => void;
  change: (change: Parameters<typeof edited>[1]) => void;
  draft: (path: Path, draft: Draft) => void;
  remove: (path: Path) => void;
}

/** A manifest that is edited as text and by a form. */
export function usePolicyText(initial: string): PolicyText {
  const [text, setText] = useState(initial);
  const [drafts, setDrafts] = useState(NO_DRAFTS);
  const change: PolicyText['change'] = (change) => setText((before) => edited(before, change));
  return {
    text,
    drafts,
    incomplete: isOpen(drafts),
    write(text) {
      setText(text);
      setDrafts(NO_DRAFTS);
    },
    change,
    draft: (path, draft) => setDrafts((before) => withDraft(before, path, draft)),
    remove(path) {
      change((document) => remove(document, path));
      setDrafts((before) => withoutPath(before, path));
    },
  };
}
