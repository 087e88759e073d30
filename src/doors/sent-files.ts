import { badInput } from '../common/errors/domain-error.js';
import type { InlineFile } from './inline-files.service.js';

const MAX_NAME_CHARACTERS = 200;

/** A file that stands in a request as base64. Throws BAD_USER_INPUT, with the path of `data`. */
export function inlineFile(
  { data, mediaType, name }: { data: string; mediaType: string; name: string | undefined },
  path: readonly string[],
): InlineFile {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) throw badInput(path, 'This is no base64.');
  const type = mediaType.toLowerCase();
  const kind = /^[a-z]+\/([a-z\d]+)/.exec(type)?.[1] ?? 'bin';
  return { name: name?.slice(0, MAX_NAME_CHARACTERS) || `file.${kind}`, mediaType: type, bytes };
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^;,]*)*;base64,/i;

/** What a URL holds itself; null: it is to be fetched. */
export function dataIn(url: string): { data: string; mediaType: string } | null {
  const [head, mediaType = ''] = DATA_URL.exec(url) ?? [];
  return head === undefined ? null : { data: url.slice(head.length), mediaType };
}

/** A file in a data: URL. Others are not fetched. Throws BAD_USER_INPUT. */
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
