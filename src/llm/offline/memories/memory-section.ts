import { findDates } from '../reading/dates.js';
import { fold, tidy } from '../reading/words/fold.js';
import type { Known, KnownMemory, SaidBefore } from './known.js';
import { nothingKnown } from './known.js';
import { orderedClause } from './notes/clauses.js';
import { factSubject, noteIn } from './notes/notes-in.js';
import type { NoteKind } from './notes/note.js';

const section = /(?:^|\n\n)<memory>\n([^]*)\n<\/memory>\s*$/u;

/** The headings in the four languages. */
const headings: ReadonlyMap<string, NoteKind | 'SAID'> = new Map(
  (
    [
      ['PREFERENCE', 'preferences|preferencias|偏好'],
      ['PROJECT', 'projet en cours|current project|proyecto en curso|目前的專案'],
      ['CONTACT', 'contacts nommes|contacts mentioned|contactos mencionados|提到的聯絡人'],
      ['FACT', 'autres souvenirs|other memories|otros recuerdos|其他記憶'],
      ['SAID', 'conversations precedentes|earlier conversations|conversaciones anteriores|先前的對話'],
    ] as const
  ).flatMap(([kind, names]) => names.split('|').map((name) => [name, kind] as const)),
);

const headingOf = (line: string): NoteKind | 'SAID' | undefined =>
  headings.get(fold(line).replace(/\s*[:：]$/u, ''));

const attributeNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    status: 'etat|status|estado|狀態',
    description: 'description|descripcion|說明',
    client: 'client|cliente|客戶',
    company: 'entreprise|company|empresa|公司',
    email: 'e-mail|email|correo|電子郵件',
    phone: 'telephone|phone|telefono|電話',
    notes: 'notes|notas|備註',
    aliases: 'aussi appele|also called|tambien llamado|又稱',
  }).flatMap(([key, names]) => names.split('|').map((name) => [name, key] as const)),
);

const day = /^\d{4}-\d{2}-\d{2}$/;
const shared = /^(?:commun a l'entreprise|shared by the company|comun a la empresa|全公司共用)$/;
const colon = /\s?:\s|：/u;

type Details = Pick<KnownMemory, 'attributes' | 'since'>;

/** What stands in brackets behind a memory; null: brackets of its own. */
function detailsOf(text: string): Details | null {
  const attributes: Record<string, string> = {};
  let since: string | null = null;
  for (const part of text.split(/\s?;\s|；/u)) {
    const [label = '', ...rest] = part.split(colon);
    const key = attributeNames.get(fold(label)) ?? (/^\w{1,40}$/.test(label) ? label : undefined);
    if (day.test(part)) since = part;
    else if (key !== undefined && rest.length > 0) attributes[key] = rest.join(': ').trim();
    else if (!shared.test(fold(part))) return null;
  }
  return { attributes, since };
}

function splitDetails(line: string): { told: string; details: Details } {
  const none = { attributes: {}, since: null };
  if (!/[)）]$/u.test(line)) return { told: line, details: none };
  // The first bracket from which on all is details: a value may have brackets of its own.
  for (const { index, 0: bracket } of line.matchAll(/ \(|（/gu)) {
    const details = detailsOf(line.slice(index + bracket.length, -1));
    if (details) return { told: line.slice(0, index), details };
  }
  return { told: line, details: none };
}

const longestSubject = 120;

/** The subject of a memory whose content begins with it, and which is told without it therefore. */
function subjectIn(kind: NoteKind, content: string): string {
  const clause = orderedClause(content);
  const note = kind === 'FACT' ? null : noteIn(clause, 'en');
  return note?.kind === kind ? note.subject : factSubject(clause);
}

function memoryIn(kind: NoteKind, line: string): KnownMemory {
  const { told, details } = splitDetails(line);
  const joint = colon.exec(told);
  const hasSubject = joint !== null && joint.index > 0 && joint.index <= longestSubject;
  const content = hasSubject ? told.slice(joint.index + joint[0].length).trim() : told.trim();
  const subject = hasSubject ? told.slice(0, joint.index).trim() : subjectIn(kind, content);
  return { kind, subject, content, ...details };
}

const speaker = /^([^:：]{1,60}?)\s?[:：]\s*(.+)$/su;

/** The day that a heading names. */
export const dayIn = (line: string): string | null => findDates(fold(tidy(line)))[0]?.iso ?? null;

const isDateHeading = (line: string): boolean =>
  line.length <= 80 && dayIn(line) !== null && !speaker.test(line.replace(/\s*[:：]\s*$/u, ''));

/** The lines of earlier conversations: days, and below them who said what. */
export function saidIn(lines: readonly string[]): SaidBefore[] {
  const said: SaidBefore[] = [];
  let date: string | null = null;
  for (const line of lines) {
    const text = line.replace(/^(?:[-*#>[]\s?)+/, '').trim();
    if (text === '') continue;
    if (isDateHeading(text)) date = dayIn(text);
    else {
      const match = speaker.exec(text);
      said.push({ date, author: match?.[1] ?? '', text: match?.[2] ?? text });
    }
  }
  return said;
}

/** What the end of a system prompt tells of what is remembered, and the prompt without it. */
export function memorySectionOf(prompt: string): { prompt: string; known: Known } {
  const match = section.exec(prompt);
  if (!match) return { prompt, known: nothingKnown };
  const memories: KnownMemory[] = [];
  const said: string[] = [];
  let kind: NoteKind | 'SAID' | null = null;
  for (const line of (match[1] ?? '').split('\n')) {
    const next: NoteKind | 'SAID' | undefined = kind === 'SAID' ? undefined : headingOf(line);
    if (next) kind = next;
    else if (kind === 'SAID') said.push(line);
    else if (kind !== null && line.startsWith('- ')) memories.push(memoryIn(kind, line.slice(2)));
  }
  return { prompt: prompt.slice(0, match.index), known: { memories, said: saidIn(said) } };
}
