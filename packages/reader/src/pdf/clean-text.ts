/** Radicals, compatibility ideographs and vertical forms, which fonts map to instead of ordinary characters. */
const ideographForms = /[\u2e80-\u2fdf\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe4f]/g;
/** Arabic presentation forms. pdfjs normalizes only some of them. */
const arabicForms = /[\ufb50-\ufdff\ufe70-\ufefc]/g;
/** Replacement characters and half surrogate pairs. */
const unreadable =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Normalizes text to what people type. pdfjs has already split ligatures. */
export function cleanText(text: string): string {
  return text
    .replaceAll(ideographForms, (character) => character.normalize('NFKC'))
    .replaceAll(arabicForms, (character) => character.normalize('NFKC'))
    .replaceAll(unreadable, '\ufffd')
    .replaceAll('\ufeff', '');
}
