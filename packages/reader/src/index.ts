/** What the package is for others: nothing else of it is imported. */
export {
  type DocumentFormat,
  DocumentRefused,
  type ParsedPage,
  type ParsedSummary,
} from './parsed-document.js';
export { readDocument, type ReadOptions } from './read.js';
export { type BytesDecoder, decoderFor } from './text/encoding/windows-1252.js';
