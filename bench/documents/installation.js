/** The whole product in this process, with companies that documents are uploaded to over HTTP. */
import { signToken } from '../../dist/companies/auth/token-signer.js';
import { createLogger } from '../../dist/common/process/logger.js';
import { createCompany } from '../../dist/companies/create-company.js';
import { readConfig } from '../../dist/common/config/read-config.js';
import { startServer } from '../../dist/app/server.js';

const secret = 'only for this benchmark, 32 characters';
const PAUSE_MS = 20;
const AT_A_TIME = 4;

const UPLOAD = `mutation ($input: CreateDocumentUploadInput!) {
  createDocumentUpload(input: $input) { document { id } url method headers } }`;
const DOCUMENT = 'query ($id: ID!) { document(id: $id) { status error passages } }';
const SEARCH = 'query ($query: String!) { searchDocuments(query: $query) { text headings } }';

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
  let companies = 0;
  return {
    database: config.database.url === null ? 'embedded' : 'PostgreSQL',
    async company() {
      companies += 1;
      const slug = `library-${companies}`;
      await createCompany(server.resources.database, { slug, name: slug });
      return companyOf(server.url, slug);
    },
    close: () => server.close(),
  };
}

async function companyOf(url, company) {
  const token = await signToken(secret, { sub: 'reader', company, role: 'ADMIN', name: 'Reader' }, 3600);
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
  const put = async (name, text) => {
    const input = { name, mediaType: '', bytes: Buffer.byteLength(text) };
    const { createDocumentUpload: upload } = await send(UPLOAD, { input });
    const sent = await fetch(`${url}${new URL(upload.url).pathname}`, {
      method: upload.method,
      headers: upload.headers,
      body: text,
    });
    if (!sent.ok) throw new Error(await sent.text());
    return upload.document;
  };
  const follow = async (asked) => {
    for (;;) {
      const { document } = await send(DOCUMENT, asked);
      if (document.status === 'COMPLETED') return document.passages;
      if (document.status === 'FAILED') throw new Error(document.error);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  return {
    /** Resolves once it can be searched, with the number of its passages. */
    upload: async (name, text) => follow(await put(name, text)),
    /** The same of many files, some of which are on their way at a time. */
    async uploadAll(files) {
      const documents = [];
      for (let at = 0; at < files.length; at += AT_A_TIME) {
        const some = files.slice(at, at + AT_A_TIME);
        documents.push(...(await Promise.all(some.map(([name, text]) => put(name, text)))));
      }
      for (const document of documents) await follow(document);
    },
    search: async (query) => (await send(SEARCH, { query })).searchDocuments,
  };
}
