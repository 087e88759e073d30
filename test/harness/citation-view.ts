import type { Citation } from '../../src/conversations/message.repository.js';
import type { ParserScript } from '../../src/documents/processing/scripted-document-parser.double.js';
import { processed, upload } from './document-view.js';
import type { TestClient, WireEvent } from './test-client.js';

/** Pages stand between form feeds. */
export const inPages: ParserScript = async function* ({ bytes }) {
  const pages = bytes.toString().split('\f');
  for (const [index, markdown] of pages.entries()) yield { number: index + 1, markdown };
  return { pages: pages.length };
};

/** Has a file of these pages uploaded and read. */
export async function uploadPages(
  client: TestClient,
  name: string,
  ...pages: readonly string[]
): Promise<string> {
  const id = await upload(client, name, pages.join('\f'));
  const { status, error } = await processed(client, id);
  if (status !== 'COMPLETED') throw new Error(`${name}: ${error}`);
  return id;
}

export interface CitedAnswer {
  text: string;
  status: string;
  citations: Citation[];
}

/** The answer of a turn with its sources, as it can be queried. */
export async function citedAnswerOf(client: TestClient, turnId: string): Promise<CitedAnswer> {
  const { turn } = await client.get<{ turn: { answer: CitedAnswer } }>(
    `query ($id: ID!) { turn(id: $id) { answer {
      text status citations { marker documentId documentName page quote score } } } }`,
    { id: turnId },
  );
  return turn.answer;
}

/** All sources that a turn told of. */
export function sourcesIn(events: readonly WireEvent[]): Citation[] {
  return events.flatMap(({ __typename, sources }) =>
    __typename === 'SourcesFound' ? (sources as Citation[]) : [],
  );
}
