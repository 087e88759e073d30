import { DocumentRefused } from '../parsed-document.js';

/** Headers that only programs write. */
const BY_PROGRAMS = new Set(['mime-version', 'message-id', 'received', 'return-path', 'dkim-signature']);
const BY_PEOPLE = new Set(['from', 'to', 'cc', 'date', 'subject', 'content-type', 'delivered-to']);

const HEADER = /^([!-9;-~]+):/;

/**
 * Throws DocumentRefused for an e-mail, or a page saved as one: most of it is encoded. A text that merely begins with
 * From: and Subject: is accepted. `head`: the beginning of the text.
 */
export function refuseMail(head: string): void {
  const headers = headersOf(head);
  const names = new Set(headers.map((header) => header.split(':', 1)[0]?.toLowerCase() ?? ''));
  const known = [...names].filter((name) => BY_PROGRAMS.has(name) || BY_PEOPLE.has(name));
  if (known.length < 2 || !known.some((name) => BY_PROGRAMS.has(name))) return;
  const isPage = headers.some((header) => /^content-type:\s*multipart\/related/i.test(header));
  throw new DocumentRefused(
    isPage && !names.has('to')
      ? 'This is a web page in a single file (.mhtml). Save it as HTML or as a PDF and upload that.'
      : 'This is an e-mail (.eml). Save it as a PDF or as text, and what is attached to it as files of their own, and upload those.',
  );
}

/** The lines before the first blank one, with continuation lines joined; empty: they are no headers. */
function headersOf(head: string): string[] {
  const lines = head.trimStart().split('\n');
  const end = lines.findIndex((line) => line.trim() === '');
  const unfolded = lines
    .slice(0, end === -1 ? lines.length - 1 : end)
    // In a mailbox file, a line precedes each mail.
    .filter((line, index) => index > 0 || !/^From \S/.test(line))
    .join('\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n');
  return unfolded.every((line) => HEADER.test(line)) ? unfolded : [];
}
