import { vagueConcepts } from '../reading/words/lexicon.js';
import { fold, sameWord, wordsOf } from '../reading/words/fold.js';
import { Subject } from '../reading/words/likeness.js';
import { salientWords } from '../reading/words/salient.js';
import { sentencesOf } from '../reading/read.js';
import { tellsWhenNot } from '../tool-profile.js';
import type { ToldPack } from './catalogue.js';

const leastShare = 0.4;
const leastDescribed = 2;
const mostPacks = 3;
const joining = /\b(?:y|e|et|and|ademas|tambien|plus|ainsi que|aussi|also)\b|[和與及]|以及|還有/;

/** One thing that is spoken of: a concept, a word, a pair of Chinese characters. */
type Unit = string;

const isTelling = (key: string): boolean => !key.startsWith('country:') && !vagueConcepts.has(key);

const unitsOf = ({ keys, words, pairs }: Subject): Unit[] => [
  ...[...keys].filter(isTelling),
  ...words,
  ...pairs,
];

const speaksOf = ({ keys, words, pairs }: Subject, unit: Unit): boolean =>
  keys.has(unit) || pairs.includes(unit) || words.some((word) => word === unit || sameWord(word, unit));

/** What a pack is called and what it is for, without what it says that it is not for. */
interface Spoken {
  pack: ToldPack;
  name: Subject;
  told: Subject;
  /** What it says that it is not for. */
  denied: Subject;
  /** The kinds of what it is called by that it is not for: «arrendamiento de vehículos». */
  deniedKinds: readonly Unit[];
}

const listing = /[,;，、；]|\s(?:ni|nor?|ou|or)\s/u;

/** What stands beside its name where a pack says what it is not for. */
const kindsIn = (denied: string, name: Subject): Unit[] =>
  denied.split(listing).flatMap((part) => {
    const units = unitsOf(new Subject(part));
    const isOfName = units.some((unit) => speaksOf(name, unit));
    return isOfName ? units.filter((unit) => !speaksOf(name, unit)) : [];
  });

function spokenOf(pack: ToldPack): Spoken {
  const sentences = sentencesOf(pack.description);
  const told = sentences.filter((sentence) => !tellsWhenNot(sentence));
  const denied = sentences.filter(tellsWhenNot).join('\n');
  const words = pack.key.replaceAll(/[/_-]+/g, ' ');
  const [last = ''] = pack.key.split('/').slice(-1);
  const name = new Subject(last.replaceAll(/[_-]+/g, ' '));
  return {
    pack,
    name,
    denied: new Subject(denied),
    deniedKinds: kindsIn(denied, name),
    told: new Subject([words, ...told].join('\n')),
  };
}

interface Fitting {
  pack: ToldPack;
  matched: readonly Unit[];
  /** The text calls it by its name. */
  isNamed: boolean;
  score: number;
}

/** Of what most packs speak, little follows. */
const rarity = (unit: Unit, all: readonly Spoken[]): number =>
  Math.log((all.length + 1) / Math.max(1, all.filter(({ told }) => speaksOf(told, unit)).length));

function fittingOf({ pack, name, told }: Spoken, units: readonly Unit[], all: readonly Spoken[]): Fitting {
  const matched = units.filter((unit) => speaksOf(told, unit));
  const named = matched.filter((unit) => speaksOf(name, unit));
  const weights = matched.map((unit) => rarity(unit, all) * (named.includes(unit) ? 3 : 1));
  return { pack, matched, isNamed: named.length > 0, score: weights.reduce((sum, each) => sum + each, 0) };
}

const fits = ({ isNamed, matched }: Fitting, units: readonly Unit[], isForNone: boolean): boolean =>
  isNamed || (!isForNone && matched.length >= leastDescribed && matched.length >= leastShare * units.length);

/** Whether a text speaks of what a pack says that it is not for, and that no other is for: «arras». */
const isOfNone = (units: readonly Unit[], all: readonly Spoken[]): boolean =>
  units.some(
    (unit) =>
      all.some(({ denied }) => speaksOf(denied, unit)) && !all.some(({ told }) => speaksOf(told, unit)),
  );

/** The packs that a text asks for: the best, and others that what is left of the text calls by their names. */
export function fittingPacks(packs: readonly ToldPack[], text: string): ToldPack[] {
  let units = unitsOf(new Subject(text));
  const all = packs
    .map(spokenOf)
    .filter(
      ({ deniedKinds }) =>
        !units.some((unit) => deniedKinds.some((kind) => kind === unit || sameWord(kind, unit))),
    );
  const isForNone = isOfNone(units, packs.map(spokenOf));
  const chosen: ToldPack[] = [];
  const mayJoin = joining.test(fold(text));
  while (chosen.length < mostPacks) {
    const open = all.filter(({ pack }) => !chosen.includes(pack));
    const found = open.map((each) => fittingOf(each, units, all));
    const [best] = found.filter((each) => fits(each, units, isForNone)).toSorted((a, b) => b.score - a.score);
    if (!best || best.score === 0 || (chosen.length > 0 && !(best.isNamed && mayJoin))) break;
    chosen.push(best.pack);
    units = units.filter((unit) => !best.matched.includes(unit));
  }
  return inOrderOf(
    text,
    all.filter(({ pack }) => chosen.includes(pack)),
  );
}

/** Whether a text calls a pack by its name, wherever in it. */
export function isNamedIn(pack: ToldPack, text: string): boolean {
  return speaksOfAny(spokenOf(pack).name, text);
}

/** What stands around a name that is all a text says. */
const aroundName = /^(?:el|la|los|las|le|les|l|the|un|une|una|a|an|de|del|du|of)$/;
/** Chinese writes no blanks: «是», «有» and their denials tell that something is said of the name. */
const hanVerb = /[有是已沒無未不]/u;

/** Whether a text says something besides a pack's name. */
export function saysMoreThan(pack: ToldPack, text: string): boolean {
  const { name } = spokenOf(pack);
  const words = wordsOf(fold(text)).filter((word) => !aroundName.test(word.text));
  return hanVerb.test(text) || words.some((word) => !speaksOfAny(name, word.text));
}

const speaksOfAny = (name: Subject, words: string): boolean =>
  unitsOf(new Subject(words)).some((unit) => speaksOf(name, unit));

/** In the order in which a text comes to them. */
function inOrderOf(text: string, chosen: readonly Spoken[]): ToldPack[] {
  const words = salientWords(text).map((word) => unitsOf(new Subject(word.text)));
  const placeOf = ({ name }: Spoken): number => {
    const at = words.findIndex((units) => units.some((unit) => speaksOf(name, unit)));
    return at < 0 ? words.length : at;
  };
  return chosen.toSorted((a, b) => placeOf(a) - placeOf(b)).map(({ pack }) => pack);
}
