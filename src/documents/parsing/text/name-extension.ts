/** What a file's name ends in, in lower case; empty: nothing. */
export const extensionOf = (name: string): string =>
  /\.([a-z0-9]{1,10})$/i.exec(name.trim())?.[1]?.toLowerCase() ?? '';
