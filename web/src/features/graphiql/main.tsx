import './workers';
import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import { GraphiQL } from 'graphiql';
import 'graphiql/style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isSignedIn } from '../session/session';
import { EXAMPLES } from './examples';
import { EXAMPLES_PLUGIN } from './examples-plugin';
import { fetcher } from './fetcher';
import './graphiql.css';

const tabs = EXAMPLES.map(({ query, variables }) => ({ query, variables: variables ?? null, headers: null }));

function Page({ signedIn }: { signedIn: boolean }) {
  return (
    <div className="graphiql-page">
      <header className="graphiql-bar">
        <a href="/workloads">← Kairship</a>
        {!signedIn && (
          <span role="status">
            Not signed in. <a href="/sign-in?to=%2Fgraphiql">Sign in</a>, or write your own header below:{' '}
            <code>{'{"Authorization": "Bearer …"}'}</code>
          </span>
        )}
      </header>
      <GraphiQL
        fetcher={fetcher}
        plugins={[HISTORY_PLUGIN, EXAMPLES_PLUGIN]}
        defaultTabs={tabs}
        defaultEditorToolsVisibility={signedIn || 'headers'}
        shouldPersistHeaders={false}
        showPersistHeadersSettings={false}
      >
        <GraphiQL.Logo>
          <span className="graphiql-title">GraphiQL</span>
        </GraphiQL.Logo>
      </GraphiQL>
    </div>
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <Page signedIn={await isSignedIn()} />
  </StrictMode>,
);
