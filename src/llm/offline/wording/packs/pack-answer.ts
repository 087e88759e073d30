import { detectLanguage } from '../../../../common/text/text-language.js';
import type { Conversation } from '../../conversation.js';
import type { Question } from '../../message.js';
import { asksForDraft } from '../../packs/document-request.js';
import { asksOfMatter } from '../../packs/errand.js';
import type { Errand } from '../../packs/open-errand.js';
import type { Catalogue, LoadedPack, ToldPack } from '../../packs/catalogue.js';
import { type Given, givenFor, headOf } from '../../packs/given-data.js';
import { filesRead } from '../../packs/own-results.js';
import { LOAD_SKILL } from '../../packs/own-tools.js';
import { type DataGroup, dataGroups, reservationOf, structureOf, titleOf } from '../../packs/pack-body.js';
import { fileFor } from '../../packs/pack-calls.js';
import { fittingPacks } from '../../packs/pack-fit.js';
import { fold } from '../../reading/words/fold.js';
import { Subject } from '../../reading/words/likeness.js';
import { sentencesOf } from '../../reading/read.js';
import { failureIn } from '../../result-failure.js';
import { resultValue } from '../../tool-result.js';
import { bestSentences } from '../best-sentences.js';
import { type PackPhrases, packPhrases } from './pack-phrases.js';
import { phrases } from '../languages/phrases.js';
import { readersReason } from '../reason.js';
import { shortened } from '../shortened.js';

/** More questions at once nobody answers. */
const mostAsked = 6;
const longestFile = 12_000;
const longestDescription = 200;
const mostListed = 60;
const mostSaid = 4;

/** «¿Qué documentos hacen falta?»: it asks for the list, not for what is said of one of them. */
const asksWhatIsNeeded =
  /\b(?:que|cuales son los|what|which|quels?|quelles?)\b.{0,30}\b(?:datos|document\w*|papeles|papers|informacion|information|requisitos|data|pieces|donnees|informations)\b.{0,40}\b(?:hacen? falta|necesit\w+|pid\w+|aportar|presentar|llevar|traer|needed?|required|faut|necessaires?)\b|需要(?:準備)?(?:哪些|什麼)(?:資料|文件)/;
const ofPapers = /document|papel|papers|pieces|文件/;

const blocks = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** What is answered from the instructions that were loaded, in the language of the question. */
export class PackAnswer {
  private readonly language;
  private readonly own: PackPhrases;

  constructor(
    private readonly conversation: Conversation,
    private readonly question: Question,
    private readonly said: Errand['said'],
  ) {
    this.language = detectLanguage(question.now.text) ?? conversation.language;
    this.own = packPhrases[this.language];
  }

  text(loaded: readonly LoadedPack[]): string {
    const told = loaded.map((pack) => this.one(pack));
    const isAsked = loaded.some(
      (pack) =>
        !this.isWork(pack) &&
        !this.isAside(pack) &&
        this.saidInBody(pack) === '' &&
        this.openGroups(pack).length > 0,
    );
    return blocks(...told, isAsked ? this.own.offersDraft : '', this.failures());
  }

  private one(pack: LoadedPack): string {
    const follows = this.own.follows(titleOf(pack), pack.key);
    const path = fileFor(pack, this.question);
    const said = this.saidInBody(pack);
    if (said === '' && this.isAside(pack) && !this.isWork(pack)) return this.own.noneFits;
    const body = this.isWork(pack) ? this.work(pack, path) : said || this.ask(pack);
    const reservation = reservationOf(pack);
    return blocks(follows, body, reservation === '' ? '' : `> ${reservation}`);
  }

  /** What the instructions say themselves to a question. */
  private saidInBody(pack: LoadedPack): string {
    const { text, reading } = this.question.now;
    if (!asksOfMatter(reading)) return '';
    if (asksWhatIsNeeded.test(fold(text))) return this.papers(pack);
    const { body } = pack;
    const found = bestSentences(new Subject(text), text, { title: '', text: body }, mostSaid);
    return listOf(found.map((each) => each.text));
  }

  /** What is to be brought, where the question asks for papers; other data are asked for in their order. */
  private papers(pack: LoadedPack): string {
    if (!ofPapers.test(fold(this.question.now.text))) return '';
    const groups = this.openGroups(pack).filter(({ title }) => ofPapers.test(fold(title)));
    return blocks(...groups.map(({ title, items }) => `${this.own.needed(title)}\n${listOf(items)}`));
  }

  /** Whether a question only comes after what the instructions are for, without naming them. */
  private isAside({ key }: LoadedPack): boolean {
    const { text, reading } = this.question.now;
    const bare = { key, description: '', category: null };
    return this.said.length > 1 && asksOfMatter(reading) && fittingPacks([bare], text).length === 0;
  }

  /** Whether the document itself is wanted, or another file. */
  private isWork(pack: LoadedPack): boolean {
    return fileFor(pack, this.question) !== null || asksForDraft(this.question.now.reading);
  }

  /** The groups with what nobody has said of them. */
  private openGroups(pack: LoadedPack): DataGroup[] {
    const given = this.givenOf(pack);
    return dataGroups(pack)
      .map(({ title, items }) => ({ title, items: items.filter((each) => !given.get(each)?.isWhole) }))
      .filter(({ items }) => items.length > 0);
  }

  /** What of the decisive data is there, and what is missing. */
  private ask(pack: LoadedPack): string {
    const given = this.givenOf(pack);
    const open = this.openGroups(pack);
    const [first, ...rest] = open;
    if (!first) return blocks(this.toldGiven(given), given.size > 0 ? this.own.allGiven : structureOf(pack));
    const asked = first.items.slice(0, mostAsked);
    const later = first.items.length - asked.length + rest.reduce((sum, { items }) => sum + items.length, 0);
    const titles = [
      ...(first.items.length > asked.length ? [first.title] : []),
      ...rest.map(({ title }) => title),
    ];
    return blocks(
      this.toldGiven(given),
      `${this.own.needed(first.title)}\n${listOf(asked)}`,
      later > 0 ? this.own.later(later, titles.join(phrases[this.language].separator)) : '',
    );
  }

  private givenOf(pack: LoadedPack): Map<string, Given> {
    const items = dataGroups(pack).flatMap((group) => group.items);
    return new Map(items.map((each) => [each, givenFor(each, this.said)]));
  }

  private toldGiven(given: ReadonlyMap<string, Given>): string {
    const told = [...given.values()].flatMap((each) => each.told);
    return told.length === 0 ? '' : `${this.own.given}\n${listOf([...new Set(told)])}`;
  }

  /** The document as far as it goes: its file, else its structure; then what is to be filled in. */
  private work(pack: LoadedPack, path: string | null): string {
    const file = filesRead(this.conversation.ownResults).find(
      (each) => each.skill === pack.key && each.path === path && each.text !== '',
    );
    const structure = file?.text.trim() ?? structureOf(pack);
    if (structure === '') return blocks(this.own.noStructure, this.ask(pack));
    const isCut = structure.length > longestFile || (file !== undefined && file.read < file.parts);
    const given = this.givenOf(pack);
    const [first] = dataGroups(pack);
    const gaps = (first?.items ?? []).filter((each) => !given.get(each)?.isWhole);
    const isDraft = asksForDraft(this.question.now.reading);
    const source = file ? `${pack.key}/${file.path}` : pack.key;
    return blocks(
      this.toldGiven(given),
      isDraft || !file ? this.own.structure(source) : this.own.file(source),
      structure.slice(0, longestFile).toWellFormed(),
      isCut ? this.own.cut : '',
      isDraft && gaps.length > 0
        ? `**${this.own.gaps}**\n${listOf(gaps.map((each) => `[${headOf(each).toLocaleUpperCase()}]`))}`
        : '',
    );
  }

  /** Why instructions could not be loaded, each reason once. */
  failures(): string {
    const reasons = this.conversation.ownResults
      .filter(({ name }) => name === LOAD_SKILL)
      .flatMap((result) => failureIn(resultValue(result)) ?? []);
    return [...new Set(reasons)].map((reason) => this.own.notLoaded(readersReason(reason))).join('\n');
  }
}

const listOf = (items: readonly string[]): string => items.map((each) => `- ${each}`).join('\n');

/** That no instructions fit the question. */
export const noneFits = ({ language }: Conversation, { now }: Question): string =>
  packPhrases[detectLanguage(now.text) ?? language].noneFits;

/** All that may be loaded, by category. */
export function tellCatalogue(
  { packs, groups }: Catalogue,
  { language }: Conversation,
  question: Question,
): string {
  const own = packPhrases[detectLanguage(question.now.text) ?? language];
  if (packs.length + groups.length === 0) return own.emptyCatalogue;
  const shown = packs.slice(0, mostListed);
  const byCategory = [...Map.groupBy(shown, ({ category }) => category ?? '')];
  const texts = byCategory.map(([category, members]) =>
    [`**${category || own.noCategory}**`, ...members.map(lineOf)].join('\n'),
  );
  const left = packs.length - shown.length;
  return blocks(
    own.catalogue,
    ...texts,
    listOf(groups),
    left > 0 ? phrases[language].more(left) : '',
    own.howToAsk,
  );
}

function lineOf({ key, description }: ToldPack): string {
  const [first = ''] = sentencesOf(description);
  return first === '' ? `- ${key}` : `- **${key}**: ${shortened(first, longestDescription)}`;
}
