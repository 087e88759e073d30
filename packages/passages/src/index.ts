/** What the package is for others: nothing else of it is imported. */
export type { CutPassage, PageBreak } from './cut-passage.js';
export { LanguageDetector } from './language-detector.js';
export { PassageCutter } from './passage-cutter.js';
