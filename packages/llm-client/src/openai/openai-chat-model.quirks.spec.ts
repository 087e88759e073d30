import type { ChatPart, ChatRequest, ModelError } from '../chat-model.js';
import { endingQuirks } from '../fixtures/ending-quirks.double.js';
import { errorQuirks } from '../fixtures/error-quirks.double.js';
import type { ProviderQuirk } from '../fixtures/provider-quirk.double.js';
import { responseQuirks } from '../fixtures/response-quirks.double.js';
import { textQuirks } from '../fixtures/text-quirks.double.js';
import { toolCallQuirks } from '../fixtures/tool-call-quirks.double.js';
import { usageQuirks } from '../fixtures/usage-quirks.double.js';
import { estimateTokens } from './token-estimate.js';
import { OpenAiChatModel } from './openai-chat-model.js';
import { raw, startScriptedProvider, type ProviderReply } from '../scripted-provider.double.js';

const request: ChatRequest = {
  model: null,
  messages: [{ role: 'user', content: 'Bonjour' }],
  tools: [],
  maxOutputTokens: 100,
};

const chatQuirks = [...textQuirks, ...toolCallQuirks, ...usageQuirks, ...endingQuirks, ...errorQuirks];
const quirks = [
  ...chatQuirks.map((quirk) => ({ api: 'chat' as const, ...quirk })),
  ...responseQuirks.map((quirk) => ({ api: 'responses' as const, ...quirk })),
];
function title({ api, quirk, provider }: (typeof quirks)[number]): string {
  return `${api}: ${quirk} (${provider})`;
}

function bytewise(body: string): ProviderReply {
  return [...Buffer.from(body)].map((byte) => raw(Uint8Array.of(byte)));
}

/** The outcome in the form of the fixtures. */
async function outcomeOf(model: OpenAiChatModel): Promise<unknown> {
  const parts: ChatPart[] = [];
  const stream = model.stream(request, new AbortController().signal);
  const failure = await collect(stream, parts).catch((error: ModelError) => error);
  const retracted = parts.findLastIndex(({ type }) => type === 'retraction');
  const wordsOf = (type: string, among: readonly ChatPart[]): string =>
    among.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
  const finishes = parts.flatMap((part, at) => (part.type === 'finish' ? [{ ...part, at }] : []));
  const [finish] = finishes;
  const { source, reasoningTokens, ...usage } = finish?.usage ?? { source: null };
  return {
    text: wordsOf('text', parts.slice(retracted + 1)),
    reasoning: wordsOf('text', parts.slice(0, retracted + 1)) + wordsOf('reasoning', parts),
    calls: calls.map(({ name, arguments: input }) => [name, input]),
    ...(source === 'PROVIDER' ? { usage } : {}),
    reasoningTokens: reasoningTokens ?? 0,
    ...(finish ? { reason: finish.reason } : {}),
    ...(failure ? { error: { code: failure.code, retryable: failure.retryable } } : {}),
    ids: new Set(calls.map(({ id }) => id)).size,
    finishes: finishes.map(({ at }) => at - parts.length),
  };
}

async function collect(stream: AsyncIterable<ChatPart>, parts: ChatPart[]): Promise<null> {
  for await (const part of stream) parts.push(part);
  return null;
}

/** In addition to the fixture: each call has a unique id, and one finish comes last unless the stream fails. */
function wanted({ expected }: ProviderQuirk): unknown {
  return {
    text: '',
    reasoning: '',
    calls: [],
    reasoningTokens: expected.error ? 0 : estimateTokens(expected.reasoning ?? ''),
    ids: expected.calls?.length ?? 0,
    finishes: expected.error ? [] : [-1],
    ...expected,
  };
}

describe('OpenAiChatModel reads', () => {
  it.each(quirks.map((quirk) => [title(quirk), quirk] as const))('%s', async (_, quirk) => {
    await using provider = await startScriptedProvider([[raw(quirk.body)], bytewise(quirk.body)]);
    const model = new OpenAiChatModel({
      baseUrl: provider.baseUrl,
      apiKey: 'a-key',
      model: 'm',
      api: quirk.api,
      firstByteTimeoutMs: 20_000,
      idleTimeoutMs: 20_000,
    });
    expect(await outcomeOf(model)).toEqual(wanted(quirk));
    expect(await outcomeOf(model)).toEqual(wanted(quirk));
    model.close();
  });
});
