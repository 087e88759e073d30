/** The public interface. Nothing else of the package may be imported. */
export type { DocumentFormat } from './format/formats.js';
export { DocumentRefused, type ParsedPage, type ParsedSummary } from './parsed-document.js';
export { readDocument, type ReadOptions } from './read.js';
export {
  inEnglish,
  type Remark,
  remark,
  type RemarkCode,
  type Sentence,
  sentenceOf,
  sentences,
} from './remarks.js';
export { type BytesDecoder, decoderFor } from './text/encoding/windows-1252.js';
