import { resolve } from 'node:path';

import type { Config } from '../common/config/config.js';
import { distribution } from '../common/config/distribution.js';
import type { Plugins } from '../common/plugins.js';
import { assistantDefinitions } from '../companies/assistants/definitions/shipped-assistants.service.js';

interface Started {
  url: string;
  demoToken: string | null;
  firstCompany: string;
  example: ExampleQuestion;
}

/** The company of the terminal client, unless PALABRE_COMPANY is set. */
const CLIENT_COMPANY = 'demo';

/** The text at the start of the server: addresses, access, and a command to try it. */
export function greeting(config: Config, started: Started): string {
  return config.role === 'worker' ? workerGreeting(started) : apiGreeting(config, started);
}

function workerGreeting({ url }: Started): string {
  return `
Palabre is ready to work: it runs the turns that other processes take in, and answers no requests (ROLE=worker).

  Health     ${url}/health/ready

`;
}

function apiGreeting(
  { auth, port, dataDir, publicUrl, http }: Config,
  { url, demoToken, firstCompany, example }: Started,
): string {
  const base = publicUrl ?? url;
  // The commands below read the same .env. Settings that may be set for this process alone are included.
  const folder =
    auth.secret === null && dataDir !== resolve('.palabre') ? `DATA_DIR=${quoted(dataDir)} ` : '';
  const address = port === 4000 ? '' : `PALABRE_URL=${base} `;
  const company = firstCompany === CLIENT_COMPANY ? '' : `PALABRE_COMPANY=${firstCompany} `;
  const token = `  Token      ${folder}npm run -s palabre -- token --company ${firstCompany} --email you@example.org --role ADMIN\n`;
  const { assistantKey } = example;
  const assistant = assistantKey === distribution.assistant ? '' : `--assistant ${assistantKey} `;
  const isSignedIn = demoToken !== null || auth.jwksUrl !== null;
  const signedIn = demoToken === null ? '' : `#token=${demoToken}`;
  return `
Palabre is ready.
${http.hasConsole ? `\n  Console    ${base}/${signedIn}\n` : ''}
  GraphQL    ${base}/graphql
${http.introspection === 'off' ? '' : `  Explorer   ${base}/explorer${signedIn}\n`}${isSignedIn ? '' : token}
  Try it     ${address}${folder}${company}npm run -s ask -- ${assistant}${asWord(example.question)}

`;
}

/** Quotes a text for the shell, if needed. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Puts a sentence into double quotes, as most contain apostrophes. */
function asWord(sentence: string): string {
  return `"${sentence.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`;
}

interface ExampleQuestion {
  assistantKey: string;
  question: string;
}

/** The example of the default assistant, or else the first one. */
export function exampleQuestion({ assistants }: Pick<Plugins, 'assistants'>): ExampleQuestion {
  const examples = [...assistants, ...assistantDefinitions].flatMap(({ key, example }) =>
    example === undefined ? [] : [{ assistantKey: key, question: example }],
  );
  const usual = examples.find(({ assistantKey }) => assistantKey === distribution.assistant);
  return usual ?? examples[0] ?? { assistantKey: distribution.assistant, question: 'Bonjour' };
}
