/** Has a browser save what it is given, under `name`: RFC 6266, with the letters of every language (RFC 8187). */
export const attachmentNamed = (name: string): string => {
  const plain = name.replaceAll(/[^ -~]|["%\\]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
};
