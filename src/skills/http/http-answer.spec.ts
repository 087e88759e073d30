import type { OutboundResponse } from '@palabre/outbound';
import type { JsonValue } from '@palabre/json';

import { SkillError } from '../skill.js';
import { excerptOf, resultOf, type RunStep } from './http-answer.js';
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

function read(
  type: string | null,
  body: string | Buffer,
  resultPath: string | null = null,
  run: RunStep = (step) => Promise.resolve(step()),
): Promise<JsonValue> {
  const settings = { resultPath, idempotent: true };
  return resultOf(answerOf(type, body), settings, echoOf(['12345678901234567890']), run);
}

describe('numbers of an answer', () => {
  it('are the ones that the service wrote', async () => {
    expect(await read('application/json', '{"n":9007199254740993,"f":1e400,"i":7}')).toEqual({
      n: '9007199254740993',
      f: '1e400',
      i: 7,
    });
    expect(await read('application/json', '{"rows":[{"id":98765432109876543210}]}', '$.rows[*].id')).toEqual([
      '98765432109876543210',
    ]);
  });

  it('are hidden where they are the secret', async () => {
    expect(await read('application/json', '[12345678901234567890]')).toEqual(['•••']);
  });

  it('are refused with the rest where they are nested too deep', async () => {
    const deep = `${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`;
    await expect(read('application/json', deep)).rejects.toThrow('nested too deep');
  });
});

describe('JSON', () => {
  it.each([
    ['application/json; charset=ISO-8859-1', 'latin1'],
    ['application/json', 'latin1'],
    ['application/json; charset=utf-16le', 'utf16le'],
    ['application/json; charset=utf-8', 'utf8'],
    ['application/json', 'utf8'],
  ] as const)('of type %s, as %s, is read as it is encoded', async (type, encoding) => {
    expect(await read(type, Buffer.from('{"ville":"Thiès, é"}', encoding))).toEqual({ ville: 'Thiès, é' });
  });

  it('is read in steps, so that others are served between them', async () => {
    const steps: unknown[] = [];
    const run: RunStep = (step) => {
      const result = step();
      steps.push(result);
      return Promise.resolve(result);
    };
    const json = '{"id":98765432109876543210}';
    await read('application/json', json, '$.id', run);
    const exact = '{"id":"98765432109876543210"}';
    expect(steps).toEqual([null, json, exact, JSON.parse(exact), '98765432109876543210']);
  });

  it('is not decoded as a page in it would be', async () => {
    const page = { html: '<meta charset="iso-8859-1">é' };
    expect(await read('application/json', JSON.stringify(page))).toEqual(page);
  });
});

describe('an answer that says nothing of its type', () => {
  it.each(['{"a":1}', '\u{feff} {"a":1}', ' \n[1]'])('is the JSON that it looks like: %j', async (body) => {
    expect(await read(null, body)).toEqual(JSON.parse(body.replace('\u{feff}', '')));
  });

  it.each(['x', '1', '{"a":'])('is refused otherwise: %j', async (body) => {
    await expect(read(null, body)).rejects.toThrow(SkillError);
  });

  it('is not looked into when it has one', async () => {
    expect(await read('text/plain', '{"a":1}')).toEqual({ text: '{"a":1}' });
    await expect(read('application/octet-stream', '{"a":1}')).rejects.toThrow('only JSON, XML and text');
  });
});

it.each([
  'application/x-ndjson',
  'application/yaml',
  'application/x-yaml',
  'application/csv; header=present',
])('an answer of type %s is text', async (type) => {
  expect(await read(type, 'a: é\n')).toEqual({ text: 'a: é\n' });
});

describe('XML', () => {
  it.each(['application/xml', 'application/xml; charset=utf-8', 'application/atom+xml', 'text/xml'])(
    'of type %s is text',
    async (type) => {
      expect(await read(type, '<a>é</a>')).toEqual({ text: '<a>é</a>' });
    },
  );

  it('is read in the encoding that it names, also for people', async () => {
    const latin = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>', 'latin1');
    expect(await read('application/xml', latin)).toEqual({ text: expect.stringContaining('é') });
    const wide = Buffer.from('\u{feff}<a>é</a>', 'utf16le');
    expect(excerptOf(answerOf('application/xml', wide), 100, echoOf([]))).toBe('<a>é</a>');
  });
});
