/**
 * What a streamed chunk costs: the adapter against the SDK's own stream, with the provider in another process.
 * `npm run build && node bench/chat-model.js`. Prints CPU milliseconds per 1,000 chunks and chunks per second.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import OpenAI from 'openai';

const chunksPerStream = 400;
const frames = {
  plain: (text) => ({ ...base, choices: [{ index: 0, delta: { content: text }, finish_reason: null }] }),
  // What OpenAI sends by default: a field of random length, so that no two chunks are alike.
  obfuscated: (text, i) => ({ ...frames.plain(text), obfuscation: 'x'.repeat(1 + (i % 11)) }),
};
const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const words = ['Le', ' bilan', ' carbone', ' de', ' votre', ' société', ' pèse', ' 12', ',', '4', ' tonnes'];

if (process.argv[2] === 'provider') await provide();
else await measure();

async function provide() {
  const server = http.createServer(async (request, response) => {
    request.resume();
    await once(request, 'end');
    const [, frame, pace] = request.url.split('/');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let i = 0; i < chunksPerStream; i++) {
      response.write(`data: ${JSON.stringify(frames[frame](words[i % words.length], i))}\n\n`);
      if (pace === 'paced') await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const last = { ...base, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

async function measure() {
  const { OpenAiChatModel } = await import('@palabre/llm-client');
  const child = fork(import.meta.filename, ['provider']);
  const [port] = await once(child, 'message');
  for (const frame of ['plain', 'obfuscated']) {
    for (const pace of ['flat', 'paced']) {
      const baseURL = `http://127.0.0.1:${port}/${frame}/${pace}`;
      const timeouts = { firstByteTimeoutMs: 60_000, idleTimeoutMs: 60_000 };
      const model = new OpenAiChatModel({ baseUrl: baseURL, apiKey: 'k', model: 'm', ...timeouts });
      const sdk = new OpenAI({ baseURL, apiKey: 'k', maxRetries: 0 });
      await report(`${frame} ${pace} adapter`, () => readAdapter(model));
      await report(`${frame} ${pace} SDK`, () => readSdk(sdk));
      model.close();
    }
  }
  child.kill();
}

async function readAdapter(model) {
  const messages = [{ role: 'user', content: 'Bonjour' }];
  const request = { model: null, messages, tools: [], maxOutputTokens: 1000 };
  let length = 0;
  for await (const part of model.stream(request, new AbortController().signal))
    length += part.text?.length ?? 0;
  return length;
}

async function readSdk(sdk) {
  const messages = [{ role: 'user', content: 'Bonjour' }];
  const stream = await sdk.chat.completions.create({ model: 'm', messages, max_tokens: 1000, stream: true });
  let length = 0;
  for await (const chunk of stream) length += chunk.choices[0]?.delta.content?.length ?? 0;
  return length;
}

/** Twenty streams at a time: once to warm up, then the median of five rounds. */
async function report(title, read) {
  const rounds = [];
  for (let round = 0; round < 6; round++) {
    const before = process.cpuUsage();
    const start = performance.now();
    const lengths = await Promise.all(Array.from({ length: 20 }, read));
    const { user, system } = process.cpuUsage(before);
    const thousands = (lengths.length * chunksPerStream) / 1000;
    if (new Set(lengths).size !== 1) throw new Error('Some text was lost.');
    rounds.push({
      cpu: (user + system) / 1000 / thousands,
      rate: (thousands * 1e6) / (performance.now() - start),
    });
  }
  const median = (key) =>
    rounds
      .slice(1)
      .map((round) => round[key])
      .toSorted((a, b) => a - b)[2];
  const figures = `${median('cpu').toFixed(1)} ms / 1k chunks  ${Math.round(median('rate'))} chunks/s`;
  process.stdout.write(`${title.padEnd(26)} ${figures}\n`);
}
