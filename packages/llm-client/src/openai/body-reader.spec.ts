import fc from 'fast-check';

import { ModelError } from '../chat-model.js';
import type { AnswerReader } from './answer.js';
import { BodyReader } from './body-reader.js';

/** Records a body's events, each with name and data. */
function noting(limits?: ConstructorParameters<typeof BodyReader>[1]) {
  const events: [data: string, name: string][] = [];
  const answer: AnswerReader = {
    isFinished: false,
    hasOutput: false,
    pieces: 0,
    awaits: 'output',
    event: (data, name) => void events.push([data, name]),
    document: (text) => void events.push([text, 'document']),
    end: (cause) => {
      if (cause) throw cause;
    },
  };
  return { events, body: new BodyReader(answer, limits) };
}

function eventsOf(pieces: Buffer[], limits?: ConstructorParameters<typeof BodyReader>[1]): string[] {
  const { events, body } = noting(limits);
  for (const piece of pieces) body.push(piece);
  body.end();
  return events.map(([data]) => data);
}

function eventsOfText(text: string): string[] {
  return eventsOf([Buffer.from(text)]);
}

function cutAt(bytes: Buffer, cuts: number[]): Buffer[] {
  const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return borders.slice(1).map((border, index) => bytes.subarray(borders[index], border));
}

describe('a stream of events', () => {
  it('reads LF, CRLF and CR lines alike', () => {
    expect(eventsOfText('data: a\n\ndata: b\r\n\r\ndata: c\r\rdata:d\n\n')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('tells the name of an event that has one', () => {
    const { events, body } = noting();
    body.push(Buffer.from('event: error\ndata: a\n\ndata: b\n\nevent:x\n\ndata: c\n\ndata: d\nevent: y\n\n'));
    expect(events).toEqual([
      ['a', 'error'],
      ['b', ''],
      ['c', ''],
      ['d', 'y'],
    ]);
  });

  it('joins the data lines of one event and drops comments and ids', () => {
    const text =
      ': hello\nevent: chunk\nid: 7\ndata: one\n: in between\ndata: two\ndata\nretry: 5\n\n: bye\n\n';
    expect(eventsOfText(text)).toEqual(['one\ntwo\n']);
  });

  it('takes off one leading space only, and only a byte order mark that comes first', () => {
    expect(eventsOfText('\uFEFFdata:  x\n\ndata: \uFEFFy\n\n')).toEqual([' x', '\uFEFFy']);
  });

  it('gives out a last event without its blank line, even without its line end', () => {
    expect(eventsOfText('data: a\n\ndata: b\n')).toEqual(['a', 'b']);
    expect(eventsOfText('data: a\n\ndata: b')).toEqual(['a', 'b']);
  });

  it('is not misled by a field whose name only begins like data', () => {
    expect(eventsOfText('database: x\n\ndatum: y\n\n')).toEqual([]);
  });

  it('gives the same events wherever the bytes are cut', () => {
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    const value = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, '€'));
    const line = fc.tuple(fc.constantFrom('data: ', 'data:', ': ', 'event: ', ''), value, lineEnd);
    const stream = fc.array(
      line.map(([field, text, end]) => `${field}${field === '' ? '' : text}${end}`),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(stream, fc.array(fc.nat(400), { maxLength: 40 }), (lines, cuts) => {
        const bytes = Buffer.from(lines.join(''));
        const whole = eventsOf([bytes]);
        expect(eventsOf(cutAt(bytes, cuts))).toEqual(whole);
        expect(eventsOf(cutAt(bytes, [...bytes.keys()]))).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it('gives back every event that was written', () => {
    const value = fc
      .string({ unit: 'binary' })
      .map((text) => text.replace(/[\r\n\uFEFF]/g, '_').toWellFormed());
    fc.assert(
      fc.property(fc.array(value), fc.constantFrom('\n', '\r\n', '\r'), (values, end) => {
        expect(eventsOfText(values.map((text) => `data: ${text}${end}${end}`).join(''))).toEqual(values);
      }),
    );
  });

  it('refuses a line, an event and a stream that are too long', () => {
    const limits = { maxEventLength: 20, maxBytes: 100 };
    const bytes = (text: string): Buffer[] => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    expect(() => eventsOf(bytes(`data: ${'x'.repeat(30)}`), limits)).toThrow(ModelError);
    expect(() => eventsOf(bytes(`data: ${'x'.repeat(30)}\n\n`), limits)).toThrow(ModelError);
    expect(() => eventsOf(bytes('data: 12345678\n'.repeat(4)), limits)).toThrow(ModelError);
    expect(() => eventsOf(bytes('data: x\n\n'.repeat(12)), limits)).toThrow(ModelError);
  });

  it('is news where it brings more than comments and ends of lines, however it is cut', () => {
    const { body } = noting();
    const comments = ['\n', ': wait', ' for\r', '\n\n', ':\n:'];
    const isNews = (piece: string): boolean => body.push(Buffer.from(piece));
    expect(['data', ': a\n'].map(isNews)).toEqual([true, true]);
    expect(comments.filter(isNews)).toEqual([]);
    expect(['more\nda', 'ta: b'].map(isNews)).toEqual([true, true]);
  });
});
