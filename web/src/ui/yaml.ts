import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { cspNonce } from '../app/nonce';

/** Colours come from styles/tokens.css, so that light and dark need no second theme. */
const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.comment, tags.meta], color: 'var(--text-2)' },
]);

const look = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--text-1)', fontSize: '12.5px', height: '100%' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-2)', border: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-cursor': { borderLeftColor: 'var(--text-1)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-panels': { backgroundColor: 'var(--surface-2)', color: 'var(--text-1)' },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--selection) !important',
  },
});

/** How YAML is shown, to read or to write: folding, search, colours. */
export const YAML: Extension = [
  cspNonce ? EditorView.cspNonce.of(cspNonce) : [],
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  bracketMatching(),
  highlightSelectionMatches(),
  search({ top: true }),
  keymap.of([...searchKeymap, ...foldKeymap]),
  EditorView.lineWrapping,
  yaml(),
  syntaxHighlighting(highlight),
  look,
];
