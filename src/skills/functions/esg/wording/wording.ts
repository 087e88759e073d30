import type { Unit } from '../grid.js';
import type { Language } from './criteria-words.js';

/** Amounts arrive as text, as the language writes them; scores without their "/100". */
export interface PillarFacts {
  title: string;
  /** Null: nothing is answered. */
  score: string | null;
  coverage: string;
}

/** What has to be said beside a score, with what saying it takes. */
export interface NoteFacts {
  design_choice: object;
  self_declared: object;
  minimum_coverage: { needed: string };
  sector_from_profile: { sector: string };
  sector_unknown: { sectors: string };
  not_applicable: { titles: string };
}
export type NoteCode = keyof NoteFacts;

/** All that the assessment says in one language, beside the words of the criteria. */
export interface EsgWording {
  language: Language;
  yes: string;
  no: string;
  /** An amount with its unit. */
  amounts: Readonly<Record<Unit, (amount: string) => string>>;
  /** How to answer. */
  expectedYesNo: string;
  expectedAmounts: Readonly<Record<Unit, string>>;
  expectedLevels(levels: readonly string[]): string;
  /** One sentence each. */
  scored(facts: { score: string; grade: string; coverage: string; pillars: readonly PillarFacts[] }): string;
  notScored(facts: { coverage: string; needed: string; pillars: readonly PillarFacts[] }): string;
  nothing: string;
  /** What to do next. */
  betterLevel(level: string): string;
  betterAmount(target: string, now: string): string;
  notes: { readonly [Code in NoteCode]: (facts: NoteFacts[Code]) => string };
}
