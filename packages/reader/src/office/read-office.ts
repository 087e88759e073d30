/** The readers of office files, loaded together. */
export { readDocx } from './docx/read-docx.js';
export { readPptx } from './pptx/read-pptx.js';
export { readXlsx } from './xlsx/read-xlsx.js';
export { readOdp, readOds, readOdt } from './odf/read-odf.js';
export { readRtf } from './rtf/read-rtf.js';
