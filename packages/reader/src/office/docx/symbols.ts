import symbols from '../../../data/symbols.json' with { type: 'json' };

/** By their codes in hexadecimal digits. */
const dingbats: Readonly<Record<string, string>> = symbols.dingbats;

/** The character of a code in a symbol font; empty for decoration. */
export function symbolOf(font: string, code: number): string {
  const index = code >= 0xf000 ? code - 0xf000 : code;
  if (/wingdings|webdings/i.test(font)) return dingbats[index.toString(16)] ?? '';
  if (!/symbol/i.test(font)) return code >= 0xe000 && code <= 0xf8ff ? '' : characterOf(code);
  // From `!` and from `¡` on. A blank stands for a glyph without a text equivalent.
  const shown = index >= 0xa1 ? symbols.symbolUpper[index - 0xa1] : symbols.symbol[index - 0x21];
  return shown === ' ' ? '' : (shown ?? '');
}

function characterOf(code: number): string {
  return code > 0x1f && code <= 0x10_ffff ? String.fromCodePoint(code).toWellFormed() : '';
}
