import { PassThrough, Readable } from 'node:stream';

import { pino } from 'pino';
import { DocumentRefused } from '@palabre/reader';

import { readConfig } from '../../common/config/read-config.js';
import { ParserProcess } from './document-parser.js';

const logger = pino({ level: 'silent' });
const { signal } = new AbortController();

function parserOf(): ParserProcess {
  return new ParserProcess(readConfig({}), logger);
}

it('reads a document of whatever kind', async () => {
  const pages = parserOf().parse(Readable.from([Buffer.from('# Title\n\n- a\n')]), { name: 'a.md' }, signal);
  expect(await pages.next()).toEqual({ done: false, value: { number: null, markdown: '# Title\n\n- a' } });
  expect(await pages.next()).toEqual({
    done: true,
    value: { format: 'markdown', mediaType: 'text/markdown', pages: null, warnings: [] },
  });
});

it('says why one cannot be read', async () => {
  const pages = parserOf().parse(Readable.from([Buffer.from('%PDF-1.7\n')]), { name: 'a.pdf' }, signal);
  await expect(pages.next()).rejects.toThrow(DocumentRefused);
  const empty = parserOf().parse(Readable.from([]), { name: 'a.pdf' }, signal);
  await expect(empty.next()).rejects.toThrow('The file is empty.');
});

it('leaves what it reads when the server stops, and begins with nothing more', async () => {
  const parser = parserOf();
  const content = new PassThrough();
  content.write('some');
  const read = parser.parse(content, { name: 'a.txt' }, signal).next();
  parser.onApplicationShutdown();
  await expect(read).rejects.toThrow('The server is stopping.');
  expect(content.destroyed).toBe(true);
  const later = parser.parse(new PassThrough(), { name: 'a.txt' }, signal).next();
  await expect(later).rejects.toThrow('The server is stopping.');
});
