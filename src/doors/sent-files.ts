import { badInput } from '../common/errors/domain-error.js';
import { MAX_FILE_NAME_CHARACTERS } from '../companies/files/file-input.js';
import type { InlineFile } from './inline-files.service.js';

/** A base64 file of a request. Throws BAD_USER_INPUT, with the path of `data`. */
export function inlineFile(
  { data, mediaType, name }: { data: string; mediaType: string; name: string | undefined },
  path: readonly string[],
): InlineFile {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) throw badInput(path, 'This is no base64.');
  const type = mediaType.toLowerCase();
  const kind = /^[a-z]+\/([a-z\d]+)/.exec(type)?.[1] ?? 'bin';
  return { name: name?.slice(0, MAX_FILE_NAME_CHARACTERS) || `file.${kind}`, mediaType: type, bytes };
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^;,]*)*;base64,/i;

/** The content of a data URL. Null: any other URL. */
export function dataIn(url: string): { data: string; mediaType: string } | null {
  const [head, mediaType = ''] = DATA_URL.exec(url) ?? [];
  return head === undefined ? null : { data: url.slice(head.length), mediaType };
}

/** A file in a data: URL. Other URLs are not fetched. Throws BAD_USER_INPUT. */
export function fileInUrl(
  url: string,
  { mediaType, name }: { mediaType: string | undefined; name: string | undefined },
  path: readonly string[],
): InlineFile {
  const given = dataIn(url);
  if (!given)
    throw badInput(path, 'Files are sent as base64, in the request itself: addresses are not fetched.');
  return inlineFile({ ...given, mediaType: given.mediaType || mediaType || '', name }, path);
}
