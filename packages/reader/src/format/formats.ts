import formats from '../../data/formats.json' with { type: 'json' };

/** The detected format of a file. */
export type DocumentFormat = keyof typeof formats;
export const documentFormats = Object.keys(formats) as DocumentFormat[];

export function mediaTypeOf(format: DocumentFormat): string {
  return formats[format].mediaType;
}

/** The extension in lower case; empty: none. */
export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name.trim())?.[1]?.toLowerCase() ?? '';
}

/**
 * The format that the extension promises; null: unknown. Office programs also open new files with the old extensions
 * .doc, .xls and .ppt.
 */
export function promisedFormatOf(name: string): DocumentFormat | null {
  const extension = extensionOf(name);
  return documentFormats.find((format) => formats[format].extensions.includes(extension)) ?? null;
}
