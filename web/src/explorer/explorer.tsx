import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './explorer.css';
import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';

import { openSession, onSessionChange, token } from '../app/session.js';
import { explorerFetcher } from './explorer-fetcher.js';

interface Settings {
  graphqlPath: string;
  tabs: { query: string; variables: string }[];
}

/** GraphiQL, signed in with the token of its link or of the console. */
async function open(root: HTMLElement): Promise<void> {
  const { tabs } = JSON.parse(root.dataset.settings ?? '') as Settings;
  await openSession();
  onSessionChange(() => location.reload());
  const given = token();
  const notice = document.getElementById('sign-in');
  if (notice) notice.hidden = given !== null;
  const headers = given === null ? undefined : JSON.stringify({ Authorization: `Bearer ${given}` }, null, 2);
  const own = headers === undefined ? {} : { headers };
  createRoot(root).render(
    <GraphiQL
      fetcher={explorerFetcher()}
      defaultTabs={tabs.map((tab) => ({ ...tab, ...own }))}
      {...(headers !== undefined && { defaultHeaders: headers })}
      defaultEditorToolsVisibility="variables"
      shouldPersistHeaders={false}
      showPersistHeadersSettings={false}
    />,
  );
}

const root = document.getElementById('explorer');
if (root) void open(root);
