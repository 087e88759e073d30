import { read, type Reading, sentencesOf } from './reading/read.js';
import { type Sentence, toSentence } from './sentence.js';

/** A text of more sentences is a document handed over: what is asked of it stands at its beginning or its end. */
const mostWeighed = 200;

/** A message as a whole and by its sentences, each read once however often it is looked at. */
export class Message {
  private wholeReading: Reading | null = null;
  private weighedSentences: readonly Sentence[] | null = null;

  constructor(readonly text: string) {}

  get reading(): Reading {
    return (this.wholeReading ??= read(this.text));
  }

  /** The sentences that may ask for something, each once. */
  get sentences(): readonly Sentence[] {
    return (this.weighedSentences ??= weighed([...new Set(sentencesOf(this.text).flatMap(ordersOf))]).map(
      toSentence,
    ));
  }
}

/** «Calcule …, cherche … et génère …»: every order is a sentence of its own. */
const nextOrder =
  /(?:,\s?|\s)(?:(?:et|and|y)\s)?(?:(?:puis|ensuite|then|luego|despu[eé]s)\s)?(?=(?:calcul|estim|cherch|trouv|g[eé]n[eéè]r|pr[eé]par|r[eé]dig|produi|find|search|calculate|generate|write|busc|encuentr)\w*\s)(?<=,\s?|\b(?:et|and|y|puis|ensuite|then|luego|despu[eé]s)\s)/giu;

const ordersOf = (sentence: string): string[] => sentence.split(nextOrder).filter((part) => part !== '');

const weighed = (sentences: readonly string[]): readonly string[] =>
  sentences.length <= mostWeighed
    ? sentences
    : [...sentences.slice(0, mostWeighed / 2), ...sentences.slice(-mostWeighed / 2)];

/** What is asked now, and what it goes on from; null when it stands alone. */
export class Question {
  private readonly together: Message;

  constructor(
    readonly now: Message,
    readonly before: Message | null = null,
  ) {
    this.together = before === null ? now : new Message(`${before.text}\n${now.text}`);
  }

  get text(): string {
    return this.together.text;
  }

  get reading(): Reading {
    return this.together.reading;
  }
}
