/** The public interface. Nothing else of the package may be imported. */
export type { CutPassage, PageBreak } from './cut-passage.js';
export { LanguageDetector } from './language-detector.js';
export { PassageCutter } from './passage-cutter.js';
