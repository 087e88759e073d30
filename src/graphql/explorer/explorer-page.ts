import type { ExplorerTab } from './explorer-examples.js';

export interface ExplorerSettings {
  graphqlPath: string;
  tabs: ExplorerTab[];
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The page around GraphiQL. It refers to files of this server only. */
export const explorerPage = (settings: ExplorerSettings, styles: string[], scripts: string[]): string =>
  `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Palabre explorer</title>
    <link rel="icon" href="data:," />
    ${styles.map((path) => `<link rel="stylesheet" href="${escaped(path)}" />`).join('\n    ')}
  </head>
  <body>
    <p id="sign-in" role="status" hidden>
      You are not signed in. Open the link to the explorer that the server printed when it started. It printed none
      with a token? Add yours: <code>/explorer#token=…</code>, or under Headers
      <code>{"Authorization": "Bearer …"}</code>.
    </p>
    <div id="explorer" data-settings="${escaped(JSON.stringify(settings))}">Loading…</div>
    ${scripts.map((path) => `<script src="${escaped(path)}"></script>`).join('\n    ')}
  </body>
</html>
`;
