import type { ReadPages } from '../../page-reader.js';
import { piecesOf } from '../markdown/pieces.js';
import { Losses } from '../package/losses.js';
import { RtfReader } from './rtf-reader.js';

/** Reads Rich Text Format. It has no pages: page breaks depend on the printer. */
export const readRtf: ReadPages = async function* ({ bytes }) {
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 100));
  if (!/^(?:\u00ef\u00bb\u00bf)?\s*\{\s*\\rtf/.test(beginning))
    throw new Error('The file does not begin as RTF does.');
  const losses = new Losses();
  for (const markdown of piecesOf(new RtfReader(losses).blocksOf(bytes))) yield { number: null, markdown };
  return { pages: null, warnings: losses.warnings() };
};
