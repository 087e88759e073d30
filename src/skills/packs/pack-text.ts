import { SkillError } from '../skill.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A pack's file for a model. Throws SkillError for one that is no text. */
export const packText = (path: string, bytes: Uint8Array): string => {
  try {
    const text = decoder.decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below.
  }
  throw new SkillError(`${path} is not text, and cannot be read by a model.`);
};
