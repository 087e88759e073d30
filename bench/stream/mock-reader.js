import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';

import { asText, nowMs, wordsIn } from './question.js';

const skillResult = [
  { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: {} }] },
  { role: 'tool', tool_call_id: 'call_1', content: '{}' },
];

/** Asks the mock provider without anything between: what it, and the driver, take by themselves. */
export class MockReader {
  #agent = new Agent({ keepAlive: true });

  /** @param {string} baseUrl */
  constructor(baseUrl) {
    this.url = `${baseUrl}/chat/completions`;
  }

  /** As a User's. */
  async turn(question, { onText, onFirstText } = {}) {
    const begun = nowMs();
    let firstTextMs = null;
    const asked = [{ role: 'user', content: asText(question) }];
    await this.#read(asked, () => undefined);
    await this.#read([...asked, ...skillResult], (content) => {
      const at = nowMs();
      if (firstTextMs === null) {
        firstTextMs = at - begun;
        onFirstText?.(firstTextMs);
      }
      onText?.(wordsIn(content), at);
    });
    return { firstTextMs };
  }

  async close() {
    this.#agent.destroy();
  }

  async #read(messages, onContent) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const headers = { 'content-type': 'application/json' };
    request(this.url, { method: 'POST', agent: this.#agent, headers }, resolve)
      .on('error', reject)
      .end(JSON.stringify({ model: 'mock', messages, stream: true }));
    for await (const line of createInterface({ input: await promise })) {
      if (!line.startsWith('data: {')) continue;
      const content = JSON.parse(line.slice('data: '.length)).choices[0]?.delta.content;
      if (content) onContent(content);
    }
  }
}
