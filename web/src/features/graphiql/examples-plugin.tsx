import type { GraphiQLPlugin } from '@graphiql/react';
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import type { Example } from './examples';
import { EXAMPLES } from './examples';

function Examples() {
  const actions = useGraphiQLActions();
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);

  const open = ({ query, variables }: Example) => {
    actions.addTab();
    // The new tab is put into the editors first; then they are ours to fill.
    setTimeout(() => {
      queryEditor?.setValue(query);
      variableEditor?.setValue(variables ?? '');
    });
  };

  return (
    <div className="examples">
      <h2>Examples</h2>
      <ul>
        {EXAMPLES.map((example) => (
          <li key={example.title}>
            <button type="button" onClick={() => open(example)}>
              <strong>{example.title}</strong>
              <span>{example.about}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ExamplesIcon() {
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <path d="M4 4.5A2.5 2.5 0 0 1 6.5 2H16v13H6.500A2.5 2.5 0 0 0 4 17.500ZM4 17.500h12M8 6h5M8 9h5" />
    </svg>
  );
}

export const EXAMPLES_PLUGIN: GraphiQLPlugin = { title: 'Examples', icon: ExamplesIcon, content: Examples };
