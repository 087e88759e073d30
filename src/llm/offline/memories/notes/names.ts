import { findCountries } from '../../reading/countries.js';
import { fold, wordsOf } from '../../reading/words/fold.js';
import { stopWords } from '../../reading/words/lexicon.js';
import { meaningsIn } from '../../reading/words/meaning.js';
import type { Clause } from './clauses.js';

const part = String.raw`(?:[OD]'(?=\p{Lu}))?\p{Lu}[\p{L}\p{N}]{1,30}(?:(?:-|'(?!s(?!\p{L})))[\p{L}\p{N}]{1,30}){0,3}`;
/** «Awa», «Marc Dupont», «Awa de la Cruz», «Ben O'Neil» */
export const namePattern = String.raw`${part}(?: (?:(?:de|du|des|von|van|ben|al|el|da|di)(?: la| los)? )?${part}){0,3}`;

const anyName = new RegExp(`(?<![\\p{L}\\p{N}@.'-])(?:[Ll]'|[Dd]'|[Qq]u')?(${namePattern})`, 'gu');

const calendar =
  /^(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|monday|tuesday|wednesday|thursday|friday|saturday|sunday|lunes|martes|miercoles|jueves|viernes|sabado|domingo|january|february|march|april|may|june|july|august|september|october|november|december|e-mail|email|mail)$/;

/** A sentence begins with a capital whatever its first word is. */
function isWord(name: string, isAlone: boolean): boolean {
  const folded = fold(name);
  const [first] = wordsOf(folded);
  if (!first || calendar.test(folded)) return true;
  // «Marie Dupont» is a name, though «marié» is a word.
  return stopWords.has(first.text) || (isAlone && meaningsIn(name, folded).some(({ known }) => known));
}

const ordinary =
  /^(?:collegues?|colleague|compañer[oa]|client|cliente|customer|ami|amie|friend|amig[oa]|note|retiens|sachez|sache|depuis|since|desde|voici|here|aqui|adresse|address|direccion|numero|number|telephone|phone|telefono|prenom|responsable|manager|chef|boss|jefe|jefa|comptable|accountant|contable)$/;

export interface FoundName {
  text: string;
  start: number;
  end: number;
}

/** The names in a clause, in order, of people and of companies alike. */
export const namesIn = ({ text }: Clause): FoundName[] =>
  Array.from(text.matchAll(anyName)).flatMap((match): FoundName[] => {
    const name = match[1] ?? '';
    const start = match.index + match[0].length - name.length;
    if (text.charAt(start + name.length) === '@') return [];
    const [first = '', ...rest] = name.split(' ');
    const isPlainWord = start === 0 && (isWord(first, rest.length === 0) || ordinary.test(fold(first)));
    const kept = isPlainWord || ordinary.test(fold(first)) ? rest.join(' ') : name;
    const begin = start + name.length - kept.length;
    const isPlace = findCountries(kept, fold(kept)).length > 0;
    const isName = /^\p{Lu}/u.test(kept) && !calendar.test(fold(kept)) && !isPlace;
    return isName ? [{ text: kept, start: begin, end: start + name.length }] : [];
  });
