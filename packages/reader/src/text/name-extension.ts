import type { DocumentFormat } from '../parsed-document.js';

/** The extension in lower case; empty: none. */
export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name.trim())?.[1]?.toLowerCase() ?? '';
}

/** The extensions of each format. Office programs also open new files with the old extensions .doc, .xls and .ppt. */
const extensions: Record<DocumentFormat, readonly string[]> = {
  pdf: ['pdf'],
  docx: ['docx', 'docm', 'dotx', 'doc'],
  xlsx: ['xlsx', 'xlsm', 'xltx', 'xls'],
  pptx: ['pptx', 'pptm', 'ppsx', 'ppt'],
  odt: ['odt', 'ott'],
  ods: ['ods', 'ots'],
  odp: ['odp', 'otp'],
  rtf: ['rtf'],
  html: ['html', 'htm', 'xhtml', 'xht', 'shtml'],
  markdown: ['md', 'markdown', 'mdown', 'mkd', 'mdx'],
  csv: ['csv', 'tsv', 'tab', 'psv'],
  text: ['txt', 'text', 'asc', 'log'],
};

const formats = new Map(
  Object.entries(extensions).flatMap(([format, names]) =>
    names.map((name) => [name, format as DocumentFormat] as const),
  ),
);

/** The format that the extension promises; null: unknown. */
export function promisedFormatOf(name: string): DocumentFormat | null {
  return formats.get(extensionOf(name)) ?? null;
}
