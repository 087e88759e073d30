import { isOfAnotherTime, isOfNow, isTimeAlone } from './company/other-times.js';
import { severalFigures } from './company/several-figures.js';
import { fold } from './reading/words/fold.js';
import type { Meaning } from './reading/words/meaning.js';
import { read, type Reading } from './reading/read.js';
import { type Span, within } from './reading/spans.js';
import type { Sentence } from './sentence.js';

const firms =
  'entreprise|societe|pme|tpe|boite|cooperative|start-?up|company|business|firm|sme|empresa|pyme|negocio|compania|cooperativa';
const facts =
  "effectifs?|chiffre d'affaires|ca|secteur|ville|siege|pays|activite|objectifs?|pratiques|headcount|(?:annual )?(?:revenue|turnover)|sector|city|country|goals?|practices|plantilla|facturacion|ciudad|sede|pais|actividad|objetivos?|practicas";

/** What is said of the company of the one who speaks: «nous sommes», «je dirige», «mi empresa», 我們公司. */
const ownCompany = new RegExp(
  `\\b(?:(?:notre|mon|ma|our|my|nuestr[oa]|mi) (?:[\\w-]+ )?(?:${firms})|(?:notre|nos|our|nuestr[oa]s?) (?:${facts})` +
    `|nous (?:sommes|avons|employons|comptons|travaillons|operons|realisons|nous appelons)|on (?:est|emploie)|je (?:dirige|gere|possede)` +
    `|we(?: are|'re| have|'ve| employ| work| operate| make)|i (?:run|own|manage)` +
    `|somos|estamos|tenemos|empleamos|facturamos|trabajamos|contamos con|nos llamamos|dirijo)\\b` +
    `|(?:我們|本|敝)公司|我們(?:是|有|在|位於|共有|的)`,
);

const competitors = /\b(?:concurrente?s?|competitors?|rival|competidor\w*)\b|競爭(?:對手|者)/;

/** «Mon concurrent Kossi Agro …»: what a message says is of another company. */
export const isOfCompetitor = (text: string): boolean => competitors.test(fold(text));

const parties =
  'fournisseu\\w+|client\\w*|concurren\\w+|locataires?|bailleurs?|proprietaires?|partenaires?|sous-traitants?|suppliers?|providers?|customers?|competitors?|tenants?|landlords?|partners?|proveedor\\w*|competidor\\w*|inquilin\\w+|arrenda\\w+|propietari\\w+';
const matters =
  'contrats?|bail|projets?|contracts?|leases?|projects?|contratos?|alquiler\\w*|escrituras?|proyectos?|viviendas?|(?:un|el|del|este|le|du) local';
const dealings =
  'achet\\w+|vend(?:ons|re|u|emos|er)|livrons|exportons|importons|exporter|importer|ouvr\\w+|voyageons|souhaitons|voulons|prevoyons|bought|buy|sell|sold|ship|export|import|deliver|open\\w*|travel|plan(?:ned|ning)?|compramos|vendemos|entregamos|exportamos|importamos|abrir\\w*|viajamos|queremos';
const sites =
  'filiales?|succursales?|agences?|bureaux?|usines?|entrepots?|magasins?|boutiques?|locaux|subsidiar\\w+|branch\\w*|offices?|plants?|warehouses?|shops?|stores?|premises|sucursal\\w*|oficinas?|fabricas?|almacen\\w*|tiendas?';
/** «Je dirige une boutique»: then the site is the company. */
const beingOne =
  '(?<!\\b(?:dirige|gere|possede|tiens|sommes|run|own|manage|are|dirijo|somos) (?:une?|an?|una) (?:\\w+ )?)';

/** What is said of others, or of another matter of one's own: a party, a paper, what is traded or planned, a site. */
const another = new RegExp(
  `\\b(?:${parties}|${matters}|${dealings})\\b|${beingOne}\\b(?:${sites})\\b|供應商|客戶|競爭|房東|租客|分公司|合約|專案|辦公室|工廠|出口|進口`,
);
const denied =
  /\b(?:ne|n'\w+|pas|jamais|not|no longer|never|don't|aren't|isn't|no|ya no|nunca)\b|不(?!動產)|沒有|並非/;
const clauseEnd =
  /[;!?。，；！？]|[.,:](?=\s|$)|\s(?=(?:et|and|y|mais|but|pero|avec|with|con|dont|qui|who|which|that|tandis|while|mientras)\s)/g;

const companyFields: ReadonlySet<string> = new Set(
  'company profile employee revenue sector city country name goal practice'.split(' '),
);
const namesField = ({ key }: Meaning): boolean => companyFields.has(key);

interface Said {
  /** What of a sentence may be of the company. */
  text: string;
  isOwn: boolean;
}

/** The clauses of a sentence, each up to where the next one begins. */
function clausesOf(folded: string): Span[] {
  const ends = [
    ...Array.from(folded.matchAll(clauseEnd), ({ index, 0: end }) => index + end.length),
    folded.length,
  ];
  return ends.map((end, at) => ({ start: ends[at - 1] ?? 0, end }));
}

/** What a clause is of instead of the company as it is now; null: of nothing else. */
type Stray = 'OTHERS' | 'OTHER_TIME' | null;

/** What each clause strays to; what follows one strays with it, until «we» are back, or of other times «now». */
function straysIn(clauses: readonly string[]): Stray[] {
  let stray: Stray = null;
  /** When what follows is said to be: «l'an dernier, …». */
  let ahead = '';
  return clauses.map((clause) => {
    const timed = `${ahead}${clause}`;
    ahead = isTimeAlone(timed) ? timed : '';
    const isBack = ownCompany.test(clause) || (stray === 'OTHER_TIME' && isOfNow(clause));
    if (another.test(clause) || denied.test(clause)) stray = 'OTHERS';
    else if (isOfAnotherTime(timed)) stray = stray === 'OTHERS' && !isBack ? stray : 'OTHER_TIME';
    else if (isBack) stray = null;
    return stray;
  });
}

/** A sentence without its clauses about others and other times, and without those of several figures of one kind. */
function withoutOthers(reading: Reading): Said {
  const { text: sentence, folded } = reading;
  const clauses = clausesOf(folded);
  const strays = straysIn(clauses.map(({ start, end }) => folded.slice(start, end)));
  const several = severalFigures(
    reading,
    clauses.filter((_, at) => strays[at] === null),
  );
  const kept: string[] = [''];
  let isOwn = false;
  let wasOwn = false;
  for (const [at, { start, end }] of clauses.entries()) {
    const isOurs: boolean = strays[at] !== 'OTHERS' && (wasOwn || ownCompany.test(folded.slice(start, end)));
    wasOwn = isOurs;
    if (strays[at] !== null || within(several, start, end).length > 0) {
      kept.push('');
      continue;
    }
    isOwn ||= isOurs;
    kept.push(`${kept.pop() ?? ''}${sentence.slice(start, end)}`);
  }
  const text = kept.map((part) => part.trim()).filter((part) => part !== '');
  return { text: text.join('\n'), isOwn };
}

/**
 * What sentences say of the company of the one who speaks, in their own words; empty: nothing that is plain. `isOrdered`:
 * they order to write it down, so that naming a fact is enough.
 */
export function saidOfCompany(sentences: readonly Sentence[], isOrdered: boolean): string {
  let goesOn = isOrdered;
  const kept = sentences.flatMap(({ reading, kind }) => {
    const said: Said = kind === 'QUESTION' ? { text: '', isOwn: false } : withoutOthers(reading);
    goesOn = said.isOwn || (goesOn && read(said.text).meanings.some(namesField));
    return goesOn ? [said.text] : [];
  });
  return kept.join('\n');
}

const keeping =
  /\b(?:enregistr\w+|consign\w+|not(?:e[sz]?|er)|record\w*|store[sd]?|write[s]? down|keep\w*|registr\w+|anot\w+|guard\w+)\b[^.\n]{0,60}\b(?:entreprise|societe|company|empresa|entidad)\b|(?:記錄|記下|登錄|更新)[^。\n]{0,20}公司/;
const skillLine = /^- \*\*.*$/gm;

/** Whether a system prompt says that what a person tells of their company is to be written down. */
export const keepsCompanyFacts = (prompt: string): boolean =>
  keeping.test(fold(prompt.replaceAll(skillLine, '')));
