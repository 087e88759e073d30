import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { beginningOf, isPlainText } from './read-small-text.js';

describe('a file that may be read in this thread', () => {
  it.each([
    ['a.txt', 'Some words.', true],
    ['a.md', '# A title', true],
    ['a.csv', 'a;b\n1;2', true],
    ['a.txt', '<!doctype html><html><body><p>a</p></body></html>', false],
    ['a.pdf', '%PDF-1.7\n', false],
    ['a.txt', '', false],
    // Formats that may unpack to more are not opened.
    ['a.txt', 'PK\x03\x04', false],
    ['a.txt', 'GIF89a\x01\0', false],
  ])('%s with %j: %s', async (name, content, isPlain) => {
    expect(await isPlainText(Buffer.from(content), name)).toBe(isPlain);
  });

  it('is a small one; of a larger one nothing is lost', async () => {
    const small = await beginningOf(Readable.from([Buffer.from('ab'), Buffer.from('cd')]));
    expect(small.bytes?.toString()).toBe('abcd');
    const parts = Array.from({ length: 9 }, (_, at) => Buffer.alloc(10_000, `${at}`));
    const large = await beginningOf(Readable.from(parts));
    expect(large.bytes).toBeNull();
    expect(await text(large.rest)).toBe(Buffer.concat(parts).toString());
  });

  it('rejects with what its stream fails with', async () => {
    const failing = new Readable({ read: () => undefined });
    const read = beginningOf(failing);
    failing.destroy(new Error('gone'));
    await expect(read).rejects.toThrow('gone');
  });
});
