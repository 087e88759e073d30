/** Radicals, compatibility ideographs and marks for columns, which fonts give instead of what people write. */
const ideographForms = /[\u2e80-\u2fdf\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe4f]/g;
/** Arabic letters as they look at the beginning, in the middle and at the end of a word, of which pdfjs knows but a few. */
const arabicForms = /[\ufb50-\ufdff\ufe70-\ufefc]/g;
/** What a font says that does not know its characters, beside half of a character. */
const unreadable =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text as people write it: pdfjs has already taken ligatures apart. */
export function cleanText(text: string): string {
  return text
    .replaceAll(ideographForms, (character) => character.normalize('NFKC'))
    .replaceAll(arabicForms, (character) => character.normalize('NFKC'))
    .replaceAll(unreadable, '\ufffd')
    .replaceAll('\ufeff', '');
}
