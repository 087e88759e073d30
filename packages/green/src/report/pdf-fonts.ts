import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { create, type Font } from 'fontkit';

function pathOf(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}

const noto = '@expo-google-fonts/noto-sans';
const latin = pathOf(`${noto}/400Regular/NotoSans_400Regular.ttf`);
const han = pathOf(
  '@expo-google-fonts/chocolate-classical-sans/400Regular/ChocolateClassicalSans_400Regular.ttf',
);

/** Fonts by family. The first has priority for characters of both. The second has no bold. */
export const fonts = {
  latin: { normal: latin, bold: pathOf(`${noto}/700Bold/NotoSans_700Bold.ttf`) },
  han: { normal: han, bold: han },
};
export type FontFamily = keyof typeof fonts;

/** A stretch of text in one font. */
export interface Run {
  text: string;
  font: FontFamily;
}

function open(path: string): Font {
  return create(readFileSync(path)) as Font;
}
const opened: readonly [FontFamily, Font][] = [
  ['latin', open(latin)],
  ['han', open(han)],
];

/** Shown for a character that no font has. */
const MISSING = '\ufffd';

function familyOf(character: string): FontFamily | null {
  return opened.find(([, font]) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))?.[0] ?? null;
}

/** The character itself, its decomposition, or a sign that it is missing. */
function shownAs(character: string): Run[] {
  for (const text of [character, character.normalize('NFKC')]) {
    const parts = Array.from(text, (part) => ({ text: part, font: familyOf(part) }));
    const found = parts.flatMap(({ text, font }) => (font ? [{ text, font }] : []));
    if (found.length === parts.length) return found;
  }
  return [{ text: MISSING, font: 'latin' }];
}

const known = new Map<string, Run[]>();

/** Gives every character a font that has it. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  for (const character of text) {
    const shown = known.get(character) ?? shownAs(character);
    known.set(character, shown);
    for (const part of shown) {
      const last = runs.at(-1);
      // A space belongs to either font, so that words are not separated for it.
      if (last && (last.font === part.font || part.text === ' ')) last.text += part.text;
      else runs.push({ ...part });
    }
  }
  return runs;
}
