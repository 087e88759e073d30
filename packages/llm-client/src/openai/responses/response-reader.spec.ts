import fc from 'fast-check';

import type { ChatPart, ModelError } from '../../chat-model.js';
import {
  call,
  called,
  created,
  ended,
  itemEvent,
  message,
  responseEvent,
  responseQuirks,
  said,
} from '../../fixtures/response-quirks.double.js';
import { BodyReader } from '../body-reader.js';
import { ResponseReader } from './response-reader.js';

/** The result for a body in these pieces: parts with joined texts and plain ids, and the error, if any. */
function read(pieces: readonly Uint8Array[]): unknown {
  const parts: ChatPart[] = [];
  const take = (part: ChatPart): void => {
    const last = parts.at(-1);
    if ((part.type === 'text' || part.type === 'reasoning') && last?.type === part.type)
      last.text += part.text;
    else parts.push({ ...part });
  };
  const context = { model: 'm', provider: 'p', takenCallIds: [], estimateInput: () => 1 };
  const reader = new ResponseReader(context, take);
  const body = new BodyReader(reader);
  try {
    for (const piece of pieces) if (!reader.isFinished) body.push(Buffer.from(piece));
    body.end();
    return comparable(parts);
  } catch (error) {
    return [...comparable(parts), (error as ModelError).message];
  }
}

/** Generated ids differ. */
function comparable(parts: readonly ChatPart[]): unknown[] {
  const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.call.id] : []));
  const words = ids.reduce(
    (text, id, index) => text.replaceAll(new RegExp(`(\\\\?")${id}\\1`, 'g'), `$1id ${index}$1`),
    JSON.stringify(parts),
  );
  return JSON.parse(words) as unknown[];
}

function whole(body: string): unknown {
  return read([Buffer.from(body)]);
}

const bodies = fc.constantFrom(...responseQuirks.map(({ body }) => body));
const streams = bodies.filter((body) => !body.startsWith('{"object"'));

describe('a response', () => {
  it('is the same however its bytes are cut', () => {
    fc.assert(
      fc.property(bodies, fc.array(fc.nat(), { maxLength: 40 }), (body, cuts) => {
        const bytes = Buffer.from(body);
        const borders = [...new Set(cuts.map((cut) => cut % bytes.length))].toSorted((a, b) => a - b);
        const pieces = [0, ...borders].map((from, index) => bytes.subarray(from, borders[index]));
        expect(read(pieces)).toEqual(whole(body));
      }),
      { numRuns: 300 },
    );
  });

  it('is the same with events in it that nobody knows', () => {
    const unknown = fc.record({
      type: fc.string().map((name) => `response.x_${name}`),
      output_index: fc.oneof(fc.nat(3), fc.string(), fc.constant(null)),
      delta: fc.oneof(fc.string(), fc.object({ maxDepth: 1 })),
      item: fc.oneof(
        fc.constant(null),
        fc.constant([]),
        fc.record({ type: fc.constant('x_item'), content: fc.jsonValue() }),
      ),
      response: fc.oneof(fc.constant(null), fc.string()),
      item_id: fc.jsonValue(),
    });
    fc.assert(
      fc.property(streams, fc.array(fc.tuple(fc.nat(), unknown), { maxLength: 6 }), (body, insertions) => {
        const events = body.split(/(?<=\n\n)/);
        for (const [at, event] of insertions) {
          events.splice(at % events.length, 0, `data: ${JSON.stringify(event)}\n\n`);
        }
        expect(read([Buffer.from(events.join(''))])).toEqual(whole(body));
      }),
      { numRuns: 300 },
    );
  });

  it('has nothing twice where its last events tell it all again', () => {
    const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' };
    const again = ended({ output: [message('Hello'), call('a', 'look', '{}'), thought] });
    const told = responseEvent('response.output_text.done', {
      output_index: 0,
      content_index: 0,
      text: 'Hello',
    });
    const thinks = itemEvent('output_item.done', 2, { item: thought });
    const body = created + said(0, 'Hel', 'lo') + told + called(1, 'a', 'look', '{}') + thinks;
    expect(whole(body + again)).toEqual(whole(body + ended()));
  });

  it('is given back with its thoughts, what was said and its calls in their order', () => {
    const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' };
    const body =
      itemEvent('output_item.done', 0, { item: { ...thought, status: 'completed' } }) +
      itemEvent('output_item.done', 1, { item: message('I look.', { phase: 'commentary' }) }) +
      called(2, 'a', 'look', '{}') +
      itemEvent('output_item.done', 3, { item: { ...thought, id: 'rs_2' } }) +
      called(4, 'b', 'look', '{}') +
      ended();
    const finish = (whole(body) as ChatPart[]).find((part) => part.type === 'finish');
    expect(JSON.parse(finish?.echo?.data ?? '')).toEqual({
      provider: 'p',
      items: [
        { type: 'thoughts', item: thought },
        { type: 'text', phase: 'commentary' },
        { type: 'call', id: 'id 0' },
        { type: 'thoughts', item: { ...thought, id: 'rs_2' } },
        { type: 'call', id: 'id 1' },
      ],
    });
  });

  it('is given back without thoughts of which the provider alone knows more than the id', () => {
    const body =
      itemEvent('output_item.done', 0, { item: { type: 'reasoning', id: 'rs_1', summary: [] } }) +
      called(1, 'a', 'look', '{}') +
      ended();
    expect(whole(body)).not.toMatchObject([{}, { echo: {} }]);
  });
});
