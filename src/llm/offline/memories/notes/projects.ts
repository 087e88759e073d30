import type { Clause } from './clauses.js';
import { namePattern } from './names.js';
import { type Note, noteOf } from './note.js';

const keyword = /(?<![\p{L}\p{N}])(?:projets?|projects?|proyectos?)(?![\p{L}\p{N}])/u;
const called = String.raw`(?:(?:s'appelle|se nomme|nommé|appelé|baptisé|est|is called|is named|called|named|is|se llama|llamado|es|:)\s*)?`;
const behind = new RegExp(`^\\s*,?\\s*${called}(?:["«“]\\s*([^"»”]{1,60}?)\\s*["»”]|(${namePattern}))`, 'u');
const before = new RegExp(`(${namePattern})\\s+$`, 'u');
const determiner = /^(?:The|My|Our|This|Your)\s+/;
const hanNames: readonly RegExp[] = [
  /[「『]([^」』]{1,20})[」』](?:專案|項目|計畫|計劃)/u,
  /(?:專案|項目|計畫|計劃)(?:的名稱)?(?:叫做?|名叫|名為|是|：|:)?\s*[「『]([^」』]{1,20})[」』]/u,
  /(?:專案|項目|計畫|計劃)(?:叫做?|名叫|名為|：|:)\s*([\p{L}\p{N}-]{2,20}?)(?=[，。,；]|$)/u,
  /([A-Z][\p{L}\p{N}-]{1,20}|(?<=^|[，,：:的])[\p{Script=Han}]{2,6}?)\s*(?:專案|項目|計畫|計劃)/u,
];

const client = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:pour|for|para)\s+(?:(?:le|la|notre|mon|the|our|my|el|nuestro|mi)\s+)?(?:(?:client|cliente|customer)\s+)?|(?:client|cliente|customer)(?:\s*(?:est|is|es)|\s*:)?\s+)(${namePattern})`,
  'u',
);
/** «Le client du projet …», «the client of project …» */
const clientFirst = /(?:client|cliente|customer) (?:du|de|del|of|for)(?: the| el| la)? $/;
const isCalled = new RegExp(`^\\s*(?:est|is|es)\\s+(?:la |the |el )?(${namePattern})`, 'u');
const hanClient =
  /客戶(?:是|為|：|:)?\s*([\p{L}\p{N}]{2,20}?)(?=[，。,；]|$)|(?:為|幫)(?:客戶)?([\p{Script=Han}\p{L}\p{N}]{2,12}?)(?:做|進行|規劃)的/u;
const status =
  /(?:^|[\s,])(?:(?:en )?est|is|esta|va|avance|se encuentra|status|statut|estado)\s*:?\s+(?:(?:maintenant|desormais|now|ahora|actuellement|currently|actualmente)\s+)?(?!(?:pour|for|para|un|une|le|la|les|l'|a|an|the|el|una|mon|ma|my|mi|notre|our)[\s']|appele|called|named)([^,.;:]{3,80}?)(?=\s+(?:pour|for|para)\s|[,.;:]|$)/;
const hanStatus =
  /(?:(?:目前|現在)?(?:正?在|處於|已經?)|目前|現在|狀態(?:是|為|：)?)([\p{Script=Han}\p{L}\p{N} ]{2,20}?)(?=[，。,；]|$)/u;
const description =
  /(?:(?:^|[\s,])(?:est|is|es|c'est|consiste (?:a|en))|^\s*:)\s+((?:un|une|an?|una)\s[^.;]{3,120}?)(?=\s+(?:pour|for|para)\s+(?:(?:la|le|the|el)\s+)?\p{Lu}|[,.;]|$)/u;

/** As it was written, of what was found in the folded text. */
const original = (text: string, match: RegExpExecArray | null, offset: number): string | undefined => {
  const found = match?.[1];
  if (!match || found === undefined) return undefined;
  const at = offset + match.index + match[0].indexOf(found);
  return text.slice(at, at + found.length).trim();
};

function hanProject({ text }: Clause): { name: string; rest: string } | null {
  for (const pattern of hanNames) {
    const match = pattern.exec(text);
    if (match?.[1]) return { name: match[1], rest: text.slice(match.index + match[0].length) };
  }
  return null;
}

function hanNoteIn(clause: Clause): Note | null {
  const project = hanProject(clause);
  if (!project) return null;
  const named = hanClient.exec(clause.text);
  const attributes = {
    ...optional('status', hanStatus.exec(project.rest)?.[1]),
    ...optional('client', named?.[1] ?? named?.[2]),
  };
  const tells = Object.keys(attributes).length > 0 || clause.isOrdered || /叫|名為/.test(clause.text);
  return tells ? noteOf('PROJECT', project.name, clause.text, attributes) : null;
}

const optional = (key: string, value: string | undefined): Record<string, string> =>
  value === undefined || value === '' ? {} : { [key]: value };

/** The project that a clause tells of by its name, with how it stands, what it is and for whom. */
export function projectIn(clause: Clause): Note | null {
  const { text, folded } = clause;
  if (/(?:專案|項目|計畫|計劃)/.test(text)) return hanNoteIn(clause);
  const word = keyword.exec(folded);
  if (!word) return null;
  const end = word.index + word[0].length;
  const after = behind.exec(text.slice(end));
  const name =
    after?.[1] ?? after?.[2] ?? before.exec(text.slice(0, word.index))?.[1]?.replace(determiner, '');
  if (name === undefined) return null;
  const rest = after ? end + after[0].length : end;
  const isNaming = after !== null && /appel|nomm|called|named|llama|baptis/.test(after[0]);
  if (clientFirst.test(folded.slice(0, word.index))) {
    const named = isCalled.exec(text.slice(rest))?.[1];
    return named ? noteOf('PROJECT', name, text, { client: named }) : null;
  }
  const attributes = {
    ...optional('status', original(text, status.exec(folded.slice(rest)), rest)),
    ...optional('description', description.exec(text.slice(rest))?.[1]?.trim()),
    ...optional('client', client.exec(text.slice(rest))?.[1]),
  };
  const tells = Object.keys(attributes).length > 0 || isNaming || clause.isOrdered;
  return tells ? noteOf('PROJECT', name, text, attributes) : null;
}
