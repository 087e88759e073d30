import type { OutboundResponse } from '@palabre/outbound';
import type { JsonValue } from '@palabre/json';

import { SkillError } from '../skill.js';
import { excerptOf, resultOf } from './http-answer.js';
import { echoOf } from './secret-echo.js';

function answerOf(type: string | null, body: string | Buffer): OutboundResponse {
  return {
    status: 200,
    headers: type === null ? {} : { 'content-type': type },
    url: 'https://service.example/',
    body: Buffer.from(body),
    truncated: false,
  };
}

function read(type: string | null, body: string | Buffer, resultPath: string | null = null): JsonValue {
  return resultOf(answerOf(type, body), { resultPath, idempotent: true }, echoOf(['12345678901234567890']));
}

describe('numbers of an answer', () => {
  it('are the ones that the service wrote', () => {
    expect(read('application/json', '{"n":9007199254740993,"f":1e400,"i":7}')).toEqual({
      n: '9007199254740993',
      f: '1e400',
      i: 7,
    });
    expect(read('application/json', '{"rows":[{"id":98765432109876543210}]}', '$.rows[*].id')).toEqual([
      '98765432109876543210',
    ]);
  });

  it('are hidden where they are the secret', () => {
    expect(read('application/json', '[12345678901234567890]')).toEqual(['•••']);
  });

  it('are refused with the rest where they are nested too deep', () => {
    const deep = `${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`;
    expect(() => read('application/json', deep)).toThrow('nested too deep');
  });
});

describe('JSON', () => {
  it.each([
    ['application/json; charset=ISO-8859-1', 'latin1'],
    ['application/json', 'latin1'],
    ['application/json; charset=utf-16le', 'utf16le'],
    ['application/json; charset=utf-8', 'utf8'],
    ['application/json', 'utf8'],
  ] as const)('of type %s, as %s, is read as it is encoded', (type, encoding) => {
    expect(read(type, Buffer.from('{"ville":"Thiès, é"}', encoding))).toEqual({ ville: 'Thiès, é' });
  });

  it('is not decoded as a page in it would be', () => {
    const page = { html: '<meta charset="iso-8859-1">é' };
    expect(read('application/json', JSON.stringify(page))).toEqual(page);
  });
});

describe('an answer that says nothing of its type', () => {
  it.each(['{"a":1}', '\u{feff} {"a":1}', ' \n[1]'])('is the JSON that it looks like: %j', (body) => {
    expect(read(null, body)).toEqual(JSON.parse(body.replace('\u{feff}', '')));
  });

  it.each(['x', '1', '{"a":'])('is refused otherwise: %j', (body) => {
    expect(() => read(null, body)).toThrow(SkillError);
  });

  it('is not looked into when it has one', () => {
    expect(read('text/plain', '{"a":1}')).toEqual({ text: '{"a":1}' });
    expect(() => read('application/octet-stream', '{"a":1}')).toThrow('only JSON, XML and text');
  });
});

it.each([
  'application/x-ndjson',
  'application/yaml',
  'application/x-yaml',
  'application/csv; header=present',
])('an answer of type %s is text', (type) => {
  expect(read(type, 'a: é\n')).toEqual({ text: 'a: é\n' });
});

describe('XML', () => {
  it.each(['application/xml', 'application/xml; charset=utf-8', 'application/atom+xml', 'text/xml'])(
    'of type %s is text',
    (type) => {
      expect(read(type, '<a>é</a>')).toEqual({ text: '<a>é</a>' });
    },
  );

  it('is read in the encoding that it names, also for people', () => {
    const latin = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>', 'latin1');
    expect(read('application/xml', latin)).toEqual({ text: expect.stringContaining('é') });
    const wide = Buffer.from('\u{feff}<a>é</a>', 'utf16le');
    expect(excerptOf(answerOf('application/xml', wide), 100, echoOf([]))).toBe('<a>é</a>');
  });
});
