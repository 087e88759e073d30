import type { JsonObject, JsonValue } from '../../../common/json.js';
import { singleLine } from '../../../common/text/data-text.js';
import { countryText, moneyText, numberText } from './local-format.js';
import type { PromptLabels } from './prompt-labels.js';

/** What a prompt may say of a company. A row of `company` is one. */
export interface CompanyFacts {
  name: string;
  sector: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  city: string | null;
  headcount: number | null;
  revenueAmount: number | null;
  /** ISO 4217. */
  revenueCurrency: string | null;
  environmentalPractices: readonly string[];
  declaredGoals: readonly string[];
  attributes: JsonObject;
}

const maxValue = 160;
const maxItems = 20;
const maxAttribute = 300;
const maxAttributes = 30;

/** The company as a compact list, a fact a line, without what is empty; a sentence when there is nothing to say. */
export function companyText(company: CompanyFacts, labels: PromptLabels, locale: string): string {
  const name = factLine(labels, labels.name, singleLine(company.name, maxValue));
  const facts = [
    ...factLine(labels, labels.sector, singleLine(company.sector ?? '', maxValue)),
    ...factLine(labels, labels.country, countryText(singleLine(company.country ?? '', maxValue), locale)),
    ...factLine(labels, labels.city, singleLine(company.city ?? '', maxValue)),
    ...factLine(labels, labels.headcount, headcountText(company, locale)),
    ...factLine(labels, labels.revenue, revenueText(company, locale)),
    ...factLine(labels, labels.environmentalPractices, listText(company.environmentalPractices, labels)),
    ...factLine(labels, labels.declaredGoals, listText(company.declaredGoals, labels)),
    ...attributeLines(company.attributes, labels),
  ];
  if (facts.length > 0) return [...name, ...facts].join('\n');
  return name.length > 0 ? [...name, labels.nothingElseKnown].join('\n') : labels.nothingKnown;
}

const factLine = (labels: PromptLabels, label: string, value: string): string[] =>
  value === '' ? [] : [`- ${label}${labels.colon}${value}`];

function headcountText({ headcount }: CompanyFacts, locale: string): string {
  return headcount === null ? '' : singleLine(numberText(headcount, locale), maxValue);
}

function revenueText({ revenueAmount, revenueCurrency }: CompanyFacts, locale: string): string {
  if (revenueAmount === null) return '';
  return singleLine(moneyText(revenueAmount, revenueCurrency, locale), maxValue);
}

function listText(items: readonly string[], labels: PromptLabels): string {
  const texts = items.map((item) => singleLine(item, maxValue)).filter((text) => text !== '');
  const left = texts.length - maxItems;
  return [...texts.slice(0, maxItems), ...(left > 0 ? [`… (+${left})`] : [])].join(labels.listSeparator);
}

/** Indented under a label of their own, so that a made-up attribute cannot pass for a fact of the profile. */
function attributeLines(attributes: JsonObject, labels: PromptLabels): string[] {
  const lines = Object.entries(attributes).flatMap(([key, value]) => {
    const label = singleLine(key, maxValue);
    const text = singleLine(attributeText(value, labels), maxAttribute);
    return label === '' || text === '' ? [] : [`  - ${label}${labels.colon}${text}`];
  });
  if (lines.length === 0) return [];
  const left = lines.length - maxAttributes;
  const heading = `- ${labels.attributes}${labels.colon.trimEnd()}`;
  return [heading, ...lines.slice(0, maxAttributes), ...(left > 0 ? [`  - … (+${left})`] : [])];
}

function attributeText(value: JsonValue, labels: PromptLabels): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? labels.yes : labels.no;
  if (typeof value !== 'object') return String(value);
  if (!Array.isArray(value)) return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
  return value
    .map((item) => (isNested(item) ? JSON.stringify(item) : attributeText(item, labels)))
    .filter((text) => text.trim() !== '')
    .join(labels.listSeparator);
}

const isNested = (value: JsonValue): boolean => typeof value === 'object' && value !== null;
