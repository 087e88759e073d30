/** The whole product in this process, with members who note things and bring conversations in, over HTTP. */
import { signToken } from '../../dist/companies/auth/token-signer.js';
import { createLogger } from '../../dist/common/process/logger.js';
import { readConfig } from '../../dist/common/config/read-config.js';
import { startServer } from '../../dist/app/server.js';

const secret = 'only for this benchmark, 32 characters';

const IMPORT = `mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }`;
const CONTEXT = `query ($message: String!, $conversationId: ID) {
  memoryContext(message: $message, conversationId: $conversationId) { text tokens items { section memory { id } } } }`;
const REMEMBER = `mutation ($input: RememberInput!) { remember(input: $input) { id } }`;

export async function startInstallation() {
  const config = readConfig({
    ...(process.env.DATABASE_URL ? { DATABASE_URL: process.env.DATABASE_URL } : {}),
    PORT: '0',
    MAX_OPERATIONS_PER_MINUTE: '1000000',
    MAX_THREAD_MS_PER_MINUTE: '1000000',
    AUTH_SECRET: secret,
  });
  const location = config.database.url === null ? { ...config, dataDir: null } : config;
  const server = await startServer(config, createLogger({ level: 'error', pretty: false }), { location });
  return {
    database: config.database.url === null ? 'embedded' : 'PostgreSQL',
    member: (sub) => memberOf(server.url, sub),
    close: () => server.close(),
  };
}

async function memberOf(url, sub) {
  const token = await signToken(secret, { sub, company: 'demo', role: 'MEMBER', name: sub }, 3600);
  const send = async (query, variables) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  return {
    /** The conversation's id. */
    async bringIn({ name, messages }) {
      const input = {
        assistantKey: 'therese',
        title: name,
        messages: messages.map(({ label: _label, ...message }) => message),
      };
      return (await send(IMPORT, { input })).importConversation.id;
    },
    /** The memory's id. */
    async note(input) {
      return (await send(REMEMBER, { input })).remember.id;
    },
    async contextOf(message, conversationId) {
      return (await send(CONTEXT, { message, conversationId })).memoryContext;
    },
  };
}
