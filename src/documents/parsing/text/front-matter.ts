const FRONT_MATTER = /^\s*(---|\+\+\+)[ \t]*\n([\s\S]{0,20000}?)\n(?:\1|\.\.\.)[ \t]*(?:\n|$)/;

/** A Markdown text without the settings above it, of which only the title is something to read. */
export const withoutFrontMatter = (text: string): string => {
  const [all = '', , settings = ''] = FRONT_MATTER.exec(text) ?? [];
  const isSettings = /^[\w-]+\s*[:=]/m.test(settings);
  if (!isSettings) return text;
  const body = text.slice(all.length);
  const [, quoted = ''] = /^title\s*[:=][ \t]*(\S.*)$/m.exec(settings) ?? [];
  const title = quoted.trim().replace(/^(["'])(.*)\1$/, '$2');
  return title === '' || /^# /m.test(body.slice(0, 2000)) ? body : `# ${title}\n\n${body}`;
};
