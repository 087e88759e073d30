import { SkillError } from '@palabre/plugin';

/** A pack has no such file. Apart from other errors, so that it can be told in another language than English. */
export class NoSuchPackFile extends SkillError {
  constructor(
    /** On one line, as all of these. */
    readonly file: { key: string; path: string },
    /** Files that it has, the likest first. */
    readonly nearest: readonly string[],
    /** A SKILL.md in a folder, which is a pack of its own. */
    readonly isPack: boolean,
  ) {
    super(
      [
        `The skill ${file.key} has no file ${file.path}.`,
        ...(isPack ? ['A folder with a SKILL.md is a skill of its own, to be loaded by its key.'] : []),
        ...(nearest.length > 0 ? [`Nearest to it: ${nearest.join(', ')}.`] : []),
      ].join(' '),
    );
  }
}

/** A pack's file is none for a model to read, such as a picture. */
export class PackFileNotText extends SkillError {
  constructor(readonly path: string) {
    super(`${path} is not text, and cannot be read by a model.`);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A pack's file for a model. Throws PackFileNotText. */
export function packText(path: string, bytes: Uint8Array): string {
  try {
    const text = decoder.decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below.
  }
  throw new PackFileNotText(path);
}
