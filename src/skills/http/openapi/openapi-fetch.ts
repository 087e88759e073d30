import { OutboundError, type OutboundHttp } from '../../../outbound/outbound-http.js';
import { reasonOf } from '../way-out.js';
import { BadDocument, type OpenApiDocument, readDocument } from './openapi-document.js';

const MAX_BYTES = 2_000_000;
const USUAL_LIMIT_MS = 15_000;

/** A document, and where it was found in the end. Rejects with BadDocument, also when nothing or no good came. */
export const fetchDocument = async (
  outbound: OutboundHttp,
  url: string,
  limitMs = USUAL_LIMIT_MS,
): Promise<{ document: OpenApiDocument; url: string }> => {
  const answer = await outbound
    .request({
      url,
      headers: { accept: 'application/json, application/yaml, text/*;q=0.9, */*;q=0.1' },
      timeoutMs: limitMs,
      maxBytes: MAX_BYTES,
      // Nobody breaks it off; a signal with the same limit would be first, and say nothing to people.
      signal: new AbortController().signal,
    })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? new BadDocument(reasonOf(error), { cause: error }) : error;
    });
  if (answer.status !== 200) throw new BadDocument(`The server answered with status ${answer.status}.`);
  return { document: await readDocument(answer.body.toString()), url: answer.url };
};
