import { fileTypeFromBuffer } from 'file-type';

import { DocumentRefused } from '../parsed-document.js';

const ARCHIVES = new Set(
  '7z ace alz ar arj bz2 cab cpio deb dmg gz iso lz lz4 lzh rar rpm tar xz z zip zst'.split(' '),
);
const PROGRAMS = new Set('class crx dex elf exe macho msi swf wasm'.split(' '));
const DATABASES = new Set('arrow avro dbf mdb parquet sqlite'.split(' '));

/** Types whose first bytes also occur in texts. */
const TEXTS = new Set('ics vcf xml pgp asc'.split(' '));

/** Throws DocumentRefused for a file whose first bytes identify a type that is not read. */
export async function refuseKnown(file: Uint8Array): Promise<void> {
  const type = await fileTypeFromBuffer(file);
  if (type === undefined || TEXTS.has(type.ext) || type.mime.startsWith('text/')) return;
  throw new DocumentRefused(reasonOf(type.ext, type.mime));
}

function reasonOf(extension: string, mediaType: string): string {
  const name = extension.toUpperCase();
  const [kind] = mediaType.split('/');
  if (kind === 'image')
    return `This is a picture (${name}). Upload a document; what is written in a picture has to be recognised first (OCR).`;
  if (kind === 'video') return `This is a film (${name}). Upload what is said in it as a text.`;
  if (kind === 'audio') return `This is a sound recording (${name}). Upload what is said in it as a text.`;
  if (kind === 'font') return `This is a font (${name}). Upload a document.`;
  if (ARCHIVES.has(extension))
    return `This is an archive (${name}). Unpack it and upload the files that are in it.`;
  if (PROGRAMS.has(extension)) return `This is a program (${name}). Upload a document.`;
  if (DATABASES.has(extension))
    return `This is a database (${name}). Save what is in it as .csv or .xlsx and upload that.`;
  return `This is a file of the type ${name}, which cannot be read. Save it as a PDF or a text and upload that.`;
}
