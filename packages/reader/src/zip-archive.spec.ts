import fc from 'fast-check';
import { type Zippable, zipSync } from 'fflate';

import { DocumentRefused } from './parsed-document.js';
import { openZip, ZipEntryDamaged } from './zip-archive.js';

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

function zipOf(files: Zippable): Uint8Array {
  return zipSync(files);
}
function storedZipOf(files: Zippable): Uint8Array {
  return zipSync(files, { level: 0 });
}

it('gives its files by name, in whatever case', async () => {
  const zip = await openZip(
    zipOf({ 'xl/workbook.xml': bytesOf('a'), 'xl/Empty.xml': bytesOf(''), folder: {} }),
  );
  expect(zip.names).toEqual(['xl/workbook.xml', 'xl/Empty.xml']);
  expect(Buffer.from(zip.read('XL/Workbook.xml') ?? []).toString()).toBe('a');
  expect(zip.read('xl/Empty.xml')?.byteLength).toBe(0);
  expect(zip.read('xl/none.xml')).toBeNull();
});

it('takes backslashes and slashes at the beginning for what they were meant', async () => {
  const zip = await openZip(zipOf({ 'xl\\sheet.xml': bytesOf('a'), '/word/document.xml': bytesOf('b') }));
  expect(zip.names).toEqual(['xl/sheet.xml', 'word/document.xml']);
  expect(Buffer.from(zip.read('xl/sheet.xml') ?? []).toString()).toBe('a');
});

describe('an archive that is made to do harm', () => {
  const limits = {
    entries: 20,
    entryBytes: 5000,
    unpackedBytes: 12_000,
    declaredBytes: 100_000,
    ratio: 100,
    unsuspiciousBytes: 3000,
  };
  const text = (length: number): Uint8Array =>
    Buffer.from(Array.from({ length }, (_, index) => 97 + ((index * index) % 23)));

  it('may not unpack one file to more than so much, or all of them', async () => {
    const zip = await openZip(
      storedZipOf({ large: text(5001), a: text(5000), b: text(5000), c: text(5000) }),
      limits,
    );
    expect(() => zip.read('large')).toThrow(DocumentRefused);
    for (const name of ['a', 'b', 'a', 'b']) expect(zip.read(name)?.byteLength).toBe(5000);
    expect(() => zip.read('c')).toThrow(/^The file unpacks to too much/);
  });

  it('may not unpack to far more than its size', async () => {
    const zip = await openZip(zipOf({ small: new Uint8Array(3000), bomb: new Uint8Array(4000) }), limits);
    expect(zip.read('small')?.byteLength).toBe(3000);
    expect(() => zip.read('bomb')).toThrow(/^The file unpacks to too much/);
  });

  it('may not lie about the size of a file', async () => {
    const archive = Buffer.from(zipOf({ bomb: text(6000) }));
    const directory = archive.lastIndexOf('PK\x01\x02', undefined, 'latin1');
    archive.writeUInt32LE(10, directory + 24);
    const zip = await openZip(archive, limits);
    expect(() => zip.read('bomb')).toThrow(/^The file unpacks to too much/);
  });

  it('may not have files in each other’s place', async () => {
    const archive = Buffer.from(storedZipOf({ a: text(100), b: text(100) }));
    const second = archive.lastIndexOf('PK\x01\x02', undefined, 'latin1');
    archive.writeUInt32LE(0, second + 42);
    await expect(openZip(archive)).rejects.toThrow(/damaged or not what its name says/);
  });

  it('may not have any number of files, or say that it has more than a disk holds', async () => {
    const files = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`${index}`, bytesOf('')]));
    await expect(openZip(zipOf(files), limits)).rejects.toThrow(/more than 20 parts/);
    await expect(openZip(zipOf({ film: text(100_001) }), limits)).rejects.toThrow(/unpacks to too much/);
  });
});

it('tells an encrypted file and a damaged one', async () => {
  const encrypted = Buffer.from(zipOf({ a: bytesOf('some text') }));
  const directory = encrypted.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  encrypted.writeUInt16LE(encrypted.readUInt16LE(directory + 8) | 1, directory + 8);
  const locked = await openZip(encrypted);
  expect(() => locked.read('a')).toThrow(/password/);
  const damaged = Buffer.from(zipSync({ a: bytesOf('some text') }, { level: 0 }));
  damaged.writeUInt8(0x21, damaged.indexOf('some'));
  const zip = await openZip(damaged);
  expect(() => zip.read('a')).toThrow(ZipEntryDamaged);
  await expect(openZip(damaged.subarray(0, -10))).rejects.toBeInstanceOf(Error);
});

it('does no harm, whatever of its bytes are wrong', async () => {
  const good = Buffer.from(zipOf({ 'a/b.xml': bytesOf('text '.repeat(50)), c: bytesOf('d') }));
  const changes = fc.array(fc.tuple(fc.nat(good.byteLength - 1), fc.nat(255)), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(good.byteLength), async (changes, end) => {
      const bytes = Buffer.from(good);
      for (const [at, value] of changes) bytes[at] = value;
      const zip = await openZip(bytes.subarray(0, end > good.byteLength / 2 ? good.byteLength : end)).catch(
        () => null,
      );
      for (const name of zip?.names ?? [])
        try {
          zip?.read(name);
        } catch (error) {
          expect(error instanceof ZipEntryDamaged || error instanceof DocumentRefused).toBe(true);
        }
    }),
    { numRuns: 300 },
  );
});
