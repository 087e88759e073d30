import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { explorerClient } from './explorer-client.js';

export interface ExplorerAsset {
  /** Holds a hash of the content, so that a browser may keep the file for ever. */
  name: string;
  content: Buffer;
  type: string;
}

const require = createRequire(import.meta.url);

const fileOf = (packageName: string, path: string): Buffer =>
  readFileSync(join(dirname(require.resolve(`${packageName}/package.json`)), path));

const asset = (base: string, extension: 'css' | 'js', content: Buffer): ExplorerAsset => ({
  name: `${base}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${extension}`,
  content,
  type: `${extension === 'css' ? 'text/css' : 'text/javascript'}; charset=utf-8`,
});

const ownStyle = `html, body { height: 100%; margin: 0; font-family: system-ui, sans-serif; }
body { display: flex; flex-direction: column; }
#explorer { flex: 1; min-height: 0; }
#sign-in { margin: 0; padding: 10px 16px; font-size: 14px; line-height: 1.5; background: #fff4ce; color: #3b2f00; }
#sign-in[hidden] { display: none; }
`;

/** The files of the explorer, read from the installed packages, in the order in which the page needs them. */
export const readExplorerAssets = (): ExplorerAsset[] => [
  asset('graphiql', 'css', fileOf('graphiql', 'graphiql.min.css')),
  asset('explorer', 'css', Buffer.from(ownStyle)),
  asset('react', 'js', fileOf('react', 'umd/react.production.min.js')),
  asset('react-dom', 'js', fileOf('react-dom', 'umd/react-dom.production.min.js')),
  asset('graphql-ws', 'js', fileOf('graphql-ws', 'umd/graphql-ws.min.js')),
  asset('graphiql', 'js', fileOf('graphiql', 'graphiql.min.js')),
  asset('explorer', 'js', Buffer.from(explorerClient)),
];
