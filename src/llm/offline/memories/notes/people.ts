import { fold } from '../../reading/words/fold.js';
import type { Language } from '../../reading/words/language.js';
import type { Clause } from './clauses.js';
import { type FoundName, namesIn } from './names.js';
import { type Note, noteOf } from './note.js';
import { labelOf } from './topics.js';

const email = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,4}\p{L}{2,24}/u;
const phone = /(?<![\p{L}\p{N}])\+?\d(?:[ .-]?\d){6,14}(?!\d)/u;

/** The e-mail address that a text names first. */
export const emailIn = (text: string): string | null => email.exec(text)?.[0] ?? null;

/** Numbers that nobody answers: «son compte est le 1234567». */
const noPhone =
  /\b(?:comptes?|iban|commandes?|factures?|contrats?|dossiers?|siret|account|order|invoice|contract|file|cuenta|pedido|factura|contrato|expediente)\b|帳號|訂單|發票/;

/** The telephone number that a text names first. */
export const phoneIn = (text: string): string | null =>
  noPhone.test(fold(text)) ? null : (phone.exec(text)?.[0] ?? null);

const own =
  /\b(?:mon|ma|my|mi) (?:nouvelle |nouveau |new |nueva |nuevo )?(?:adresse|e-?mail|mail|courriel|num(?:ero)?|tel(?:ephone)?|portable|phone|cell|number|correo|direccion|telefono|movil)\b|我的(?:新)?(?:電子郵件|電郵|信箱|電話|手機|email|e-mail|mail)/;
const employed =
  /(?<![\p{L}\p{N}])(?:chez|at|from|works? for|travaille (?:pour|a)|trabaja (?:en|para|con)|de (?:la )?(?:societe|entreprise|empresa|compania)|de la maison)\s+(?:the |la |l'|el )?$/u;
const described =
  /^\s*,?\s*(?:,|est|is|es|c'est|:)\s+(?:(?:mon|ma|notre|le|la|un|une|my|our|the|an?|mi|nuestr[oa]|el|una?)\s+|l')((?!client\b(?!e)|e-?mail|adresse)[^,.;:@]{3,80}?)(?=\s+(?:chez|at|from|en la empresa|de la empresa)\s|[,.;]|$)/iu;
/** «Le rendez-vous avec le docteur Martin est …» tells of the meeting. */
const beside =
  /(?<![\p{L}\p{N}])(?:avec|with|con|chez|de|du|des|d'|of|pour|for|para|a|au|to)\s*(?:(?:le|la|les|l'|the|el|los|las|mon|ma|my|mi)\s*)?(?:\p{L}+\s+)?$/u;
const reached =
  /\b(?:adresse|e-?mail|mail|courriel|numero|tel|telephone|portable|mobile|whatsapp|joindre|address|phone|number|reach|correo|direccion|telefono|movil)\b/;

/** What is to be done with an address says nothing of whose it is. */
const toBeDone =
  /^\W*(?:ecri[sv]\w*|envo[iy]\w*|transmet\w*|repond\w*|redige\w*|prepare\w*|contacte\w*|appele?\w*|send|write|draft|forward|reply|contact|email|call|manda\w*|envia\w*|escrib\w*|redacta\w*|llama\w*)\b/;
const stating =
  /(?<![\p{L}\p{N}])(?:est|is|es|travaille|works?|trabaja|a pour|has|tiene)(?![\p{L}\p{N}])|:|'s\s/u;

const hanContact =
  /(?:^|[\s，,：:、]|(?:我|我們)的)(?:同事|客戶|朋友|主管|老闆|會計|經理|律師|供應商){0,2}([\p{Script=Han}]{2,4}|[A-Z][\p{L}]{1,20}(?: [A-Z][\p{L}]{1,20})?) ?的(?:電子郵件|電郵|信箱|電話|手機|email|e-mail|mail|Email|E-mail)/u;
const hanWorks =
  /(?:^|[\s，,：:、])(?:我的?)?(?:同事|客戶|朋友|主管|會計|經理|律師|供應商)?([\p{Script=Han}]{2,3}|[A-Z][\p{L}]{1,20})(?:是我的?[\p{Script=Han}]{2,8}，?)?在([\p{Script=Han}\p{L}\p{N}]{2,20}?)(?:工作|上班|任職)/u;

const hanRole =
  /(?:^|[\s，,：:、])([\p{Script=Han}]{2,3}|[A-Z][\p{L}]{1,20}(?: [A-Z][\p{L}]{1,20})?) ?是我們?的?((?:新)?(?:同事|客戶|朋友|主管|老闆|會計師?|經理|律師|供應商|顧問|合夥人|助理|醫師))/u;

/** What is stated of the person's own address or number. */
export function ownAddressIn({ text, folded }: Clause, language: Language): Note | null {
  if (!own.test(folded)) return null;
  if (emailIn(text) !== null) return noteOf('FACT', labelOf('email', language), text);
  return phone.test(text) ? noteOf('FACT', labelOf('phone', language), text) : null;
}

/** A name behind «chez», «at», «trabaja en». */
const isEmployer = ({ folded }: Clause, { start }: FoundName): boolean =>
  employed.test(folded.slice(Math.max(0, start - 40), start));

/** What somebody is to the person: «est ma comptable». */
function roleOf({ text, folded }: Clause, { start, end }: FoundName): string | null {
  if (beside.test(folded.slice(0, start))) return null;
  // With its accents: «à 16 h» is no «a plumber».
  return described.exec(text.slice(end))?.[1]?.trim() ?? null;
}

const withoutEmpty = (attributes: Record<string, string | null | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).flatMap(([key, value]) => (value ? [[key, value]] : [])));

function hanContactIn({ text }: Clause): Note | null {
  const works = hanWorks.exec(text);
  const role = hanRole.exec(text);
  const name = role?.[1] ?? hanContact.exec(text)?.[1] ?? works?.[1];
  const address = emailIn(text);
  if (name === undefined || (address === null && !works && !role && !phone.test(text))) return null;
  return noteOf(
    'CONTACT',
    name,
    text,
    withoutEmpty({ email: address, phone: phoneIn(text), company: works?.[2], notes: role?.[2] }),
  );
}

/** Whom a clause tells of, and how to reach them, what they do or where they work. */
export function contactIn(clause: Clause): Note | null {
  const { text, folded } = clause;
  if (/\p{Script=Han}{2}/u.test(text)) return hanContactIn(clause);
  if (!clause.isOrdered && (toBeDone.test(folded) || !stating.test(folded))) return null;
  const names = namesIn(clause);
  const person = names.find((name) => !isEmployer(clause, name));
  if (!person) return null;
  const company = names.find((name) => name !== person && isEmployer(clause, name))?.text;
  const address = emailIn(text);
  const number = reached.test(folded) ? phoneIn(text) : null;
  const role = roleOf(clause, person);
  if (address === null && number === null && role === null && company === undefined) return null;
  const attributes = withoutEmpty({ email: address, phone: number, company, notes: role });
  return noteOf('CONTACT', person.text, text, attributes);
}
