import type { Caveat, CaveatCode, Refusal, RefusalCode } from '../remark.js';
import type { Gap } from '../inventory.js';
import type { LineCategory } from '../footprint.js';
import type { Unit } from '../unit.js';

/** Numbers and names as a language writes them. */
export interface Speech {
  /** To four figures. */
  number(value: number): string;
  /** With all its figures: who multiplies by it gets what is shown. */
  factor(value: number): string;
  /** To the kilogram, or to four figures where that is finer. */
  kilograms(kg: number): string;
  quantity(value: number, unit: Unit): string;
  percent(share: number): string;
  country(code: string): string;
  list(items: readonly string[]): string;
  /** Its name for several. */
  unit(unit: Unit): string;
  /** What a factor is per. */
  oneUnit(unit: Unit): string;
}

export interface ScopeAmount {
  scope: 1 | 2 | 3;
  amount: string;
}

export interface LineFacts {
  label: string;
  quantity: string;
  amount: string;
  /** Null: it is declared outside the scopes. */
  scope: 1 | 2 | 3 | null;
  factor: string;
  year: number | null;
}

/** All that the footprint says in one language. Amounts arrive as text, with their unit. */
export interface Wording {
  language: 'en' | 'fr' | 'es' | 'zh-Hant';
  /** One name for any number, or one for a single unit and one for several. */
  units: Readonly<Record<Unit, string | readonly [one: string, several: string]>>;
  categories: Readonly<Record<LineCategory, string>>;
  scopes: Readonly<Record<1 | 2 | 3, string>>;
  /** What belongs to a company's footprint and has no factors here. */
  gaps: Readonly<Record<Gap, string>>;
  /** A factor of `country` that stands in for another's. */
  approximation(country: string, usedIn: string | null): string;
  /** What a factor describes when it is no single country. */
  world: string;
  /** `scopes` are those that something was counted in; none: all that was given is declared apart. */
  total(
    facts: { total: string; scopes: readonly ScopeAmount[]; period: string | null },
    speech: Speech,
  ): string;
  /** What is not in the total because its gases, `list`, are the Montreal Protocol's. */
  outsideKyoto(amount: string, list: string): string;
  biggest(facts: { label: string; quantity: string; amount: string; share: string }): string;
  /** A source with the year of its edition and, for a grid average, the year of the figures. */
  source(name: string, edition: string, dataYear: string | null): string;
  sources(list: string): string;
  limits(list: readonly string[]): string;
  /** A clause for `limits`. */
  notCounted(list: readonly string[]): string;
  /** When not one item could be counted. */
  nothing(reasons: string): string;
  /** One item's calculation. `year` is that of the figures behind the factor. */
  line(facts: LineFacts): string;
  inCountry(label: string, country: string): string;
  upstream(label: string): string;
  withReason(label: string, reason: string): string;
  caveats: { readonly [Code in CaveatCode]: (caveat: Caveat<Code>, speech: Speech) => string };
  refusals: { readonly [Code in RefusalCode]: (refusal: Refusal<Code>, speech: Speech) => string };
}
