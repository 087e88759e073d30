import type { TestClient } from './test-client.js';

export const DOCUMENT_FIELDS =
  'id name mediaType bytes status error warnings pages passages language progress createdAt url urlExpiresAt';
export const CREATE_UPLOAD = `mutation ($input: CreateDocumentUploadInput!) {
  createDocumentUpload(input: $input) { document { ${DOCUMENT_FIELDS} } url method headers expiresAt } }`;
export const DELETE_DOCUMENT = 'mutation ($id: ID!) { deleteDocument(id: $id) }';
export const PROGRESS = `subscription ($id: ID!) { documentProgress(documentId: $id) { ${DOCUMENT_FIELDS} } }`;
const DOCUMENT = `query ($id: ID!) { document(id: $id) { ${DOCUMENT_FIELDS} } }`;
const SEARCH = `query ($query: String!, $first: Int) { searchDocuments(query: $query, first: $first) {
  id page text score document { id name } } }`;

export interface DocumentAnswer {
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
  error: string | null;
  warnings: string[];
  pages: number | null;
  passages: number | null;
  language: string | null;
  progress: number;
  createdAt: string;
  url: string | null;
  urlExpiresAt: string | null;
}

export interface DocumentUploadAnswer {
  document: DocumentAnswer;
  url: string;
  method: string;
  headers: Record<string, string>;
  expiresAt: string;
}

export interface PassageAnswer {
  id: string;
  page: number | null;
  text: string;
  score: number;
  document: { id: string; name: string };
}

export interface SentAnswer {
  status: number;
  body: {
    documentId?: string;
    status?: string;
    errors?: { message: string; extensions: Record<string, unknown> }[];
  };
}

export async function announce(
  client: TestClient,
  file: { name?: string; mediaType?: string; bytes: number },
): Promise<DocumentUploadAnswer> {
  return (
    await client.get<{ createDocumentUpload: DocumentUploadAnswer }>(CREATE_UPLOAD, {
      input: { name: 'notes.txt', mediaType: 'text/plain', ...file },
    })
  ).createDocumentUpload;
}

/** An address that the product gives, at the server of `client`. */
export function hereOf({ url: serverUrl }: Pick<TestClient, 'url'>, url: string): string {
  return `${serverUrl}${new URL(url).pathname}`;
}

export async function sendBytes(
  client: Pick<TestClient, 'url'>,
  { url, method, headers }: Pick<DocumentUploadAnswer, 'url' | 'method' | 'headers'>,
  content: string | Uint8Array,
): Promise<SentAnswer> {
  const response = await fetch(hereOf(client, url), {
    method,
    headers,
    body: typeof content === 'string' ? content : new Uint8Array(content),
  });
  return { status: response.status, body: (await response.json()) as SentAnswer['body'] };
}

/** Has a file uploaded, and gives its document's id. */
export async function upload(
  client: TestClient,
  name: string,
  content: string | Uint8Array,
  mediaType = '',
): Promise<string> {
  const upload = await announce(client, { name, mediaType, bytes: Buffer.byteLength(content) });
  const { status, body } = await sendBytes(client, upload, content);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return upload.document.id;
}

export async function findDocument(client: TestClient, id: string): Promise<DocumentAnswer | null> {
  return (await client.get<{ document: DocumentAnswer | null }>(DOCUMENT, { id })).document;
}

/** How a document stands, as it is told. */
export async function* progressOf(
  client: TestClient,
  id: string,
  socket = client.socket(),
): AsyncGenerator<DocumentAnswer, void> {
  const results = socket.iterate<{ documentProgress: DocumentAnswer }>({
    query: PROGRESS,
    variables: { id },
  });
  for await (const { data, errors } of results) {
    if (errors) throw new Error(JSON.stringify(errors));
    if (data) yield data.documentProgress;
  }
}

/** Resolves once it is COMPLETED or FAILED. */
export async function processed(client: TestClient, id: string): Promise<DocumentAnswer> {
  const told = await Array.fromAsync(progressOf(client, id));
  const last = told.at(-1);
  if (!last) throw new Error('Nothing was told of the document.');
  return last;
}

export async function searchDocuments(
  client: TestClient,
  query: string,
  first = 5,
): Promise<PassageAnswer[]> {
  return (await client.get<{ searchDocuments: PassageAnswer[] }>(SEARCH, { query, first })).searchDocuments;
}
