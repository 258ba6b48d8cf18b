import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
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
  '.cm-cursor': { borderLeftColor: 'var(--text-1)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-panels': { backgroundColor: 'var(--surface-2)', color: 'var(--text-1)' },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--selection) !important',
  },
});

interface YamlViewProps {
  text: string;
  label: string;
  /** Makes it an editor: called with what stands there, as it is typed. */
  edit?: (text: string) => void;
}

/** What only an editor has. Tab leaves it, as it leaves every other field. */
function editing(edit: (text: string) => void) {
  return [
    history(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    // What a browser writes in place of coloured text takes the colours along as an inline style, which the page's
    // policy forbids.
    EditorView.domEventHandlers({
      beforeinput(event, view) {
        if (event.inputType !== 'insertText' || event.data === null || event.isComposing) return false;
        if (view.state.selection.main.empty) return false;
        view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type' });
        event.preventDefault();
        return true;
      },
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) edit(update.state.doc.toString());
    }),
  ];
}

/** A manifest: folding, search, selection; to read, or to edit. */
export function YamlView({ text, label, edit }: YamlViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const tell = useRef(edit);
  const editable = edit !== undefined;
  useEffect(() => {
    tell.current = edit;
  });

  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        extensions: [
          cspNonce ? EditorView.cspNonce.of(cspNonce) : [],
          EditorState.readOnly.of(!editable),
          EditorView.contentAttributes.of({
            'aria-label': label,
            'aria-readonly': String(!editable),
            tabindex: '0',
          }),
          editable ? editing((typed) => tell.current?.(typed)) : [],
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
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, [label, editable]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text, label, editable]);

  return <div ref={host} className="yaml" data-yaml />;
}
