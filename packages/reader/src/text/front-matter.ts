/** Settings begin on the next line. A blank line after it means that the line is a horizontal rule. */
const FRONT_MATTER = /^\s*(---|\+\+\+)[ \t]*\n(?![ \t]*\n)([\s\S]{0,20000}?)\n(?:\1|\.\.\.)[ \t]*(?:\n|$)/;

const SETTING = /^["']?[\w.-]+["']?[ \t]*(?::(?:[ \t]|$)|=)/;

/**
 * The continuation of a setting: more of its value, an element, the end of a list, a section, a comment that is no
 * heading.
 */
const MORE_OF_SETTING = /^(?:[ \t]|-(?:[ \t]|$)|[\]}]|\[{1,2}[\w."-]+\]{1,2}$|#(?![# \t])|$)/;

/** A Markdown text without its front matter, of which only the title is kept. */
export function withoutFrontMatter(text: string): string {
  const [all = '', , settings = ''] = FRONT_MATTER.exec(text) ?? [];
  if (!isSettings(settings)) return text;
  const body = text.slice(all.length);
  const [, quoted = ''] = /^title\s*[:=][ \t]*(\S.*)$/m.exec(settings) ?? [];
  const title = quoted.trim().replace(/^(["'])(.*)\1$/, '$2');
  return title === '' || /^# /m.test(body.slice(0, 2000)) ? body : `# ${title}\n\n${body}`;
}

/** All lines must be settings: text between two rules may contain a colon. */
function isSettings(text: string): boolean {
  const lines = text.split('\n');
  return (
    lines.some((line) => SETTING.test(line)) &&
    lines.every((line) => SETTING.test(line) || MORE_OF_SETTING.test(line))
  );
}
