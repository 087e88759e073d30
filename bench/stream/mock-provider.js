/**
 * An OpenAI-compatible provider of chat completions as server-sent events, run by mock.js in a process of its own:
 * the call of a skill first, and 200 tokens once the skill's result is there. A question says how fast.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import { fromText, isQuestion, nowMs, sentToken } from './question.js';

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'mock' };

function frame(delta, finishReason = null) {
  return `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finishReason }], usage: null })}\n\n`;
}

function ending(finishReason, completionTokens) {
  const usage = {
    prompt_tokens: 500,
    completion_tokens: completionTokens,
    total_tokens: 500 + completionTokens,
  };
  return `${frame({}, finishReason)}data: ${JSON.stringify({ ...head, choices: [], usage })}\n\ndata: [DONE]\n\n`;
}

const MARK = 'the token';
const [beforeToken, afterToken] = frame({ content: MARK }).split(MARK);

const opening = frame({ role: 'assistant', content: '' });
function call(fields) {
  return frame({ tool_calls: [{ index: 0, ...fields }] });
}
const skillCall = [
  frame({ role: 'assistant', content: null }),
  call({ id: 'call_1', type: 'function', function: { name: 'get_company_profile', arguments: '' } }),
  call({ function: { arguments: '{}' } }),
  ending('tool_calls', 12),
].join('');

function note({ noted, id }, event) {
  if (noted) process.send({ id, event, at: nowMs() });
}

function flatOut(response, { tokens }) {
  // One write a token, as providers do; together they still leave as fast as the socket takes them.
  for (let index = 0; index < tokens; index += 1) response.write(`${beforeToken}mot${index} ${afterToken}`);
  response.end(ending('stop', tokens));
}

function paced(response, { tokens, tokensPerSecond }) {
  const begun = performance.now();
  let sent = 0;
  let timer = null;
  const send = () => {
    response.write(`${beforeToken}${sentToken()}${afterToken}`);
    sent += 1;
    if (sent === tokens) response.end(ending('stop', tokens));
    // By the time since the beginning, so that late timers do not add up.
    else timer = setTimeout(send, Math.max(0, begun + (sent * 1000) / tokensPerSecond - performance.now()));
  };
  send();
  response.once('close', () => clearTimeout(timer));
}

function answer(response, messages) {
  const asked = messages.findLast(({ role }) => role === 'user').content;
  // A long conversation is summarized beside its turns.
  if (!isQuestion(asked))
    return response.end(`${opening}${frame({ content: 'In short.' })}${ending('stop', 3)}`);
  const question = fromText(asked);
  if (messages.at(-1).role !== 'tool') return response.end(skillCall);
  note(question, 'asked');
  response.once('close', () => note(question, response.writableFinished ? 'finished' : 'closed'));
  response.write(opening);
  if (question.silent) return undefined;
  return question.tokensPerSecond === 0 ? flatOut(response, question) : paced(response, question);
}

const server = createServer(async (request, response) => {
  // Palabre asks which models there are; a provider need not say.
  if (request.method !== 'POST') return response.writeHead(404).end();
  try {
    const { messages } = await json(request);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    answer(response, messages);
  } catch (error) {
    // The clients' servers would take it for a provider in trouble and ask again.
    console.error('mock provider:', error);
    process.exit(1);
  }
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', 4096, () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
