/**
 * A provider in a thread of its own. It speaks as the question has it:
 * `{"script": {"calls": [{"name", "arguments"}], "words": 20, "pauseMs": 2}}`.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';

const server = createServer((request, response) => {
  // A client that leaves in the middle is nobody's mistake.
  answer(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port, []));

/** Words of an answer, whatever its question says: answers end with their next word while an attack is tidied up. */
let maxWords = Infinity;
parentPort.on('message', (isBrief) => (maxWords = isBrief ? 1 : Infinity));

async function answer(request, response) {
  if (request.method !== 'POST') return response.writeHead(404).end();
  const body = await json(request);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta, reason = null) =>
    response.write(`data: ${JSON.stringify(chunkOf(body.model, delta, reason))}\n\n`);
  const forced = body.tool_choice?.function?.name;
  if (forced !== undefined) call(send, [{ name: forced, arguments: {} }]);
  else await speak(body.messages, { send, response });
  return response.end('data: [DONE]\n\n');
}

async function speak(messages, { send, response }) {
  const { calls = [], words = 20, pauseMs = 2 } = scriptOf(messages);
  if (calls.length > 0 && messages.at(-1).role !== 'tool' && maxWords > 1) return call(send, calls);
  for (let count = 0; count < Math.min(words, maxWords) && !response.destroyed; count += 1) {
    if (!send({ content: `word${count} ` })) await sleep(1);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return send({}, 'stop');
}

function call(send, calls) {
  calls.forEach(({ name, arguments: given }, index) => {
    const asked = { name, arguments: JSON.stringify(given) };
    send({ tool_calls: [{ index, id: `call-${Date.now()}-${index}`, type: 'function', function: asked }] });
  });
  send({}, 'tool_calls');
}

function scriptOf(messages) {
  const { content = '' } = messages.findLast(({ role }) => role === 'user') ?? {};
  const [written] = /\{"script":.*\}/s.exec(content) ?? [];
  return written === undefined ? {} : JSON.parse(written).script;
}

function chunkOf(model, delta, reason) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model,
    choices: [{ index: 0, delta, finish_reason: reason }],
  };
}
