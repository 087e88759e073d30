/** It begins in the very next line: a blank one means that the line above is a rule in a text. */
const FRONT_MATTER = /^\s*(---|\+\+\+)[ \t]*\n(?![ \t]*\n)([\s\S]{0,20000}?)\n(?:\1|\.\.\.)[ \t]*(?:\n|$)/;

const SETTING = /^["']?[\w.-]+["']?[ \t]*(?::(?:[ \t]|$)|=)/;

/** What goes on from a setting: more of its value, an element, the end of a list, a section, a comment that is no heading. */
const MORE_OF_SETTING = /^(?:[ \t]|-(?:[ \t]|$)|[\]}]|\[{1,2}[\w."-]+\]{1,2}$|#(?![# \t])|$)/;

/** A Markdown text without the settings above it, of which only the title is something to read. */
export function withoutFrontMatter(text: string): string {
  const [all = '', , settings = ''] = FRONT_MATTER.exec(text) ?? [];
  if (!isSettings(settings)) return text;
  const body = text.slice(all.length);
  const [, quoted = ''] = /^title\s*[:=][ \t]*(\S.*)$/m.exec(settings) ?? [];
  const title = quoted.trim().replace(/^(["'])(.*)\1$/, '$2');
  return title === '' || /^# /m.test(body.slice(0, 2000)) ? body : `# ${title}\n\n${body}`;
}

/** All of it: text between two rules may well have a colon in a line. */
function isSettings(text: string): boolean {
  const lines = text.split('\n');
  return (
    lines.some((line) => SETTING.test(line)) &&
    lines.every((line) => SETTING.test(line) || MORE_OF_SETTING.test(line))
  );
}
