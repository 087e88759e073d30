import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChatPart, ModelError, OpenAiChatModel } from '@palabre/llm-client';
import {
  type ProviderReply,
  raw,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

/** Of `text/event-stream` bodies as providers sent them. They are other projects' data, and not in this repository. */
const folder = process.env.PROVIDER_RECORDINGS;

const PIECE_BYTES = 7;

function piecesOf(bytes: Buffer): ProviderReply {
  return Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, index) =>
    raw(bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES)),
  );
}

/** What the adapter makes of it, over HTTP; words that came in several parts are one. */
async function read(reply: ProviderReply, api: 'chat' | 'responses'): Promise<ChatPart[] | ModelError> {
  await using provider = await startScriptedProvider([reply]);
  const model = new OpenAiChatModel({
    baseUrl: provider.baseUrl,
    apiKey: '',
    model: 'recorded',
    api,
    firstByteTimeoutMs: 10_000,
    idleTimeoutMs: 10_000,
  });
  const parts: ChatPart[] = [];
  try {
    const request = { model: null, messages: [], tools: [], maxOutputTokens: 100 };
    for await (const part of model.stream(request, new AbortController().signal)) {
      const last = parts.at(-1);
      if (part.type === 'text' && last?.type === 'text') last.text += part.text;
      else if (part.type === 'reasoning' && last?.type === 'reasoning') last.text += part.text;
      else parts.push({ ...part });
    }
    return parts;
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  } finally {
    model.close();
  }
}

/** Ids that the adapter makes up differ, and where a provider listens: what a model wants back names both. */
function comparable(parts: readonly ChatPart[]): string {
  return parts.reduce(
    (words, part, index) =>
      part.type === 'tool-call' ? words.replaceAll(part.call.id, `call ${index}`) : words,
    JSON.stringify(parts).replace(/127\.0\.0\.1:\d+/g, 'provider'),
  );
}

/** The first one, of a file with several responses. */
function answerIn(body: string): string {
  return /^.*?"type"\s*:\s*"response\.(?:completed|incomplete|failed)".*?\n\n/s.exec(body)?.[0] ?? body;
}

/** Why the adapter does not do justice to a recording; null: it does. */
async function faultOf(bytes: Buffer): Promise<string | null> {
  const body = answerIn(bytes.toString());
  const api = /"type"\s*:\s*"response\./.test(body) ? 'responses' : 'chat';
  const whole = await read([raw(body)], api);
  const inPieces = await read(piecesOf(Buffer.from(body)), api);
  if (whole instanceof ModelError) {
    if (!/"error"\s*:\s*[{"]/.test(body)) return `is taken for a failure: ${whole.message}`;
    return inPieces instanceof ModelError ? null : 'fails only as a whole';
  }
  if (inPieces instanceof ModelError) return `fails only in pieces: ${inPieces.message}`;
  if (comparable(whole) !== comparable(inPieces)) return 'differs in pieces';
  if (whole.filter(({ type }) => type === 'finish').length !== 1 || whole.at(-1)?.type !== 'finish') {
    return 'has not one finish, at its end';
  }
  const calls = whole.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
  const hasCalls = /"tool_calls"\s*:\s*\[\s*\{|"type"\s*:\s*"function_call"/;
  if (hasCalls.test(body) && calls.length === 0) return 'loses its tool calls';
  if (calls.some(({ name }) => name === '')) return 'has a tool call without a name';
  const hasText = /"content"\s*:\s*"[^"]|"response\.output_text\.delta"/;
  if (hasText.test(body) && !whole.some(({ type }) => type === 'text')) return 'loses its text';
  return null;
}

const withRecordings = folder === undefined ? describe.skip : describe;

withRecordings('recordings of providers, in the folder PROVIDER_RECORDINGS', () => {
  it('are all read, whole and in pieces', async () => {
    const files = (await readdir(String(folder))).filter((name) => name.endsWith('.sse')).toSorted();
    expect(files).not.toEqual([]);
    const faults: string[] = [];
    for (const file of files) {
      const fault = await faultOf(await readFile(join(String(folder), file)));
      if (fault !== null) faults.push(`${file} ${fault}`);
    }
    expect(faults).toEqual([]);
  });
});
