import fc from 'fast-check';

import { defaultSseLimits, SseLimitError, SseParser } from './body-reader.js';

function eventsOf(pieces: Buffer[], limits = defaultSseLimits): string[] {
  const events: string[] = [];
  const parser = new SseParser((data) => events.push(data), limits);
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return events;
}

function eventsOfText(text: string): string[] {
  return eventsOf([Buffer.from(text)]);
}

function cutAt(bytes: Buffer, cuts: number[]): Buffer[] {
  const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return borders.slice(1).map((border, index) => bytes.subarray(borders[index], border));
}

describe('SseParser', () => {
  it('reads LF, CRLF and CR lines alike', () => {
    expect(eventsOfText('data: a\n\ndata: b\r\n\r\ndata: c\r\rdata:d\n\n')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('tells the name of an event that has one', () => {
    const names: string[] = [];
    const parser = new SseParser((data, name) => names.push(`${name}=${data}`));
    parser.push(
      Buffer.from('event: error\ndata: a\n\ndata: b\n\nevent:x\n\ndata: c\n\ndata: d\nevent: y\n\n'),
    );
    expect(names).toEqual(['error=a', '=b', '=c', 'y=d']);
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
    const limits = { maxLineLength: 20, maxTotalBytes: 100 };
    const bytes = (text: string): Buffer[] => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    expect(() => eventsOf(bytes(`data: ${'x'.repeat(30)}`), limits)).toThrow(SseLimitError);
    expect(() => eventsOf(bytes(`data: ${'x'.repeat(30)}\n\n`), limits)).toThrow(SseLimitError);
    expect(() => eventsOf(bytes('data: 12345678\n'.repeat(4)), limits)).toThrow(SseLimitError);
    expect(() => eventsOf(bytes('data: x\n\n'.repeat(12)), limits)).toThrow(SseLimitError);
  });
});
