import { PackFileNotText } from '../pack-file-errors.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A pack's file for a model. Throws PackFileNotText. */
export const packText = (path: string, bytes: Uint8Array): string => {
  try {
    const text = decoder.decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below.
  }
  throw new PackFileNotText(path);
};
