import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type Answer, writeAnswer } from './completion-stream.js';

const answer: Answer = {
  reply: { text: 'Douze mille kilowattheures font six tonnes.' },
  finish: 'stop',
  usage: { prompt_tokens: 3, completion_tokens: 11, total_tokens: 14 },
  envelope: { id: 'chatcmpl-1', created: 0, model: 'palabre-offline' },
};
/** So slow that only an abort ends it. */
const slow = { tokensPerSecond: 0.001, includeUsage: false };
const fast = { tokensPerSecond: 0, includeUsage: true };

async function written(given: Answer): Promise<string[]> {
  const out = new PassThrough();
  const chunks = out.setEncoding('utf8').toArray();
  await writeAnswer(out, given, fast, new AbortController().signal);
  out.end();
  return (await chunks)
    .join('')
    .split('\n\n')
    .filter((event) => event !== '');
}

describe('writeAnswer', () => {
  it('ends with the finish reason, the usage and [DONE], in this order', async () => {
    const events = await written(answer);
    expect(JSON.parse(events.at(-3)?.slice(6) ?? '')).toMatchObject({
      choices: [{ delta: {}, finish_reason: 'stop' }],
    });
    expect(JSON.parse(events.at(-2)?.slice(6) ?? '')).toMatchObject({ choices: [], usage: answer.usage });
    expect(events.at(-1)).toBe('data: [DONE]');
  });

  it('sends a call by its name first, then its arguments in fragments', async () => {
    const call = { id: 'call_1', name: 'get_company_profile', arguments: '{"a":"one two three"}' };
    const events = await written({ ...answer, reply: { toolCalls: [call] }, finish: 'tool_calls' });
    const calls = events
      .slice(1, -3)
      .map((event) => JSON.parse(event.slice(6)).choices[0].delta.tool_calls[0]);
    expect(calls[0]).toEqual({
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name: call.name, arguments: '' },
    });
    expect(calls.length).toBeGreaterThan(2);
    expect(calls.map((each) => each.function.arguments).join('')).toBe(call.arguments);
  });

  it('stops in a pause when the reader is gone', async () => {
    const out = new PassThrough();
    const reader = new AbortController();
    const writing = writeAnswer(out, answer, slow, reader.signal);
    await once(out, 'data');
    reader.abort();
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    expect(out.readableLength).toBe(0);
  });

  it('waits while nobody reads, and stops waiting when nobody will', async () => {
    const out = new PassThrough({ highWaterMark: 1 });
    const reader = new AbortController();
    const writing = writeAnswer(out, answer, fast, reader.signal);
    expect(out.listenerCount('drain')).toBe(1);
    reader.abort(new Error('gone'));
    await expect(writing).rejects.toThrow('gone');
    expect(out.listenerCount('drain')).toBe(0);
  });
});
