import { SkillError } from '@palabre/plugin';

/** A pack has no such file. A class of its own, so that it can be translated. */
export class NoSuchPackFile extends SkillError {
  constructor(
    /** One line, like the other fields. */
    readonly file: { key: string; path: string },
    /** Existing files, the most similar first. */
    readonly nearest: readonly string[],
    /** The path is the SKILL.md of another pack. */
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

/** The file is not text that a model can read, such as a picture. */
export class PackFileNotText extends SkillError {
  constructor(readonly path: string) {
    super(`${path} is not text, and cannot be read by a model.`);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A pack's file as text for a model. Throws PackFileNotText. */
export function packText(path: string, bytes: Uint8Array): string {
  try {
    const text = decoder.decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Refused below.
  }
  throw new PackFileNotText(path);
}
