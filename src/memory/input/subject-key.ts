/** Letters that are one with their stroke, so that Unicode does not take it off. */
const strokes = new Map(Object.entries({ ø: 'o', đ: 'd', ł: 'l', ħ: 'h', ŧ: 't' }));
const struck = /[øđłħŧ]/g;
const accents = /[\u0300-\u036F]/g;
const apostrophes = /[‘’ʼ´`]/g;

/**
 * A subject as it is compared: width, case, accents and blanks make no difference. Only the accents of alphabets go:
 * the vowel signs of Indic scripts look like them and are letters. Stored, so it must go on giving the same.
 */
export const subjectKeyOf = (subject: string): string =>
  subject
    .normalize('NFKC')
    // Before the case: what stands beside a sigma decides which one it becomes, and \uFEFF, a blank here, does not count.
    .replace(/\s+/g, ' ')
    // Down, up and down again makes one of what has several letters: ẞ, ß and ss, ı and i, ς and σ.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replace(accents, '')
    .normalize('NFC')
    .replace(struck, (letter) => strokes.get(letter) ?? letter)
    .replace(apostrophes, "'")
    .replace(/\s+/g, ' ')
    .trim();
