/** The characters of the font Symbol from `!` on. A blank stands for a glyph without a text equivalent. */
const symbolFont =
  '!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';

/** The same from `¡` on. */
const symbolFontUpper =
  'ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…   ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑        〉∫⌠ ⌡';

const dingbats: Readonly<Record<number, string>> = {
  0x6c: '●',
  0x6e: '■',
  0x6f: '□',
  0x71: '❑',
  0x75: '◆',
  0x76: '❖',
  0xa7: '▪',
  0xa8: '☐',
  0xd8: '➢',
  0xe0: '→',
  0xe8: '➔',
  0xf0: '⇨',
  0xfb: '✗',
  0xfc: '✓',
  0xfd: '☒',
  0xfe: '☑',
};

/** The character of a code in a symbol font; empty for decoration. */
export function symbolOf(font: string, code: number): string {
  const index = code >= 0xf000 ? code - 0xf000 : code;
  if (/wingdings|webdings/i.test(font)) return dingbats[index] ?? '';
  if (!/symbol/i.test(font)) return code >= 0xe000 && code <= 0xf8ff ? '' : characterOf(code);
  const shown = index >= 0xa1 ? symbolFontUpper[index - 0xa1] : symbolFont[index - 0x21];
  return shown === ' ' ? '' : (shown ?? '');
}

function characterOf(code: number): string {
  return code > 0x1f && code <= 0x10_ffff ? String.fromCodePoint(code).toWellFormed() : '';
}
