import { loadPlugins } from '../src/app/load-plugins.js';
import { distribution } from '../src/common/config/distribution.js';
import {
  checkTemplate,
  renderTemplate,
  type TemplateValues,
  templateVariables,
} from '../src/companies/assistants/prompt-template.js';
import { ShippedAssistants } from '../src/companies/assistants/definitions/shipped-assistants.service.js';

const assistants = new ShippedAssistants(await loadPlugins(distribution.plugins)).all;

/** Words that a text of that language cannot do without. */
const functionWords = {
  fr: new Set([
    'les',
    'des',
    'dans',
    'avec',
    'pour',
    'qui',
    'est',
    'une',
    'sur',
    'tu',
    'du',
    'ou',
    'et',
    'pas',
  ]),
  es: new Set(['los', 'las', 'del', 'con', 'para', 'y', 'una', 'por', 'el', 'lo', 'ni', 'qué', 'si', 'no']),
  en: new Set(['the', 'and', 'of', 'you', 'with', 'is', 'when', 'your', 'to', 'it', 'that', 'never', 'must']),
};
const simplifiedForms =
  /[这说话应该请问题们个为时对过还没关开样单见书写选项产业务实际发现无数据资门间给级经结论继续]/u;

function shareOf(text: string, words: Set<string>): number {
  const all = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return all.filter((word) => words.has(word)).length / all.length;
}
function shareOfHan(text: string): number {
  return (text.match(/\p{Script=Han}/gu)?.length ?? 0) / (text.match(/\p{L}/gu)?.length ?? 1);
}

/** What a text is written in: by its script, else by the function words that fill at least an eighth of it. */
function languageOf(text: string): string {
  if (shareOfHan(text) > 0.95) return simplifiedForms.test(text) ? 'zh-Hans' : 'zh-Hant';
  const shares = Object.entries(functionWords).map(([language, words]) => ({
    language,
    share: shareOf(text, words),
  }));
  const [first, second] = shares.toSorted((one, other) => other.share - one.share);
  return first && second && first.share > 0.125 && first.share > 2 * second.share
    ? first.language
    : 'unclear';
}

function withoutVariables(template: string): string {
  return renderTemplate(
    template,
    Object.fromEntries(templateVariables.map((name) => [name, ''])) as TemplateValues,
  );
}

it('ships five assistants, each with its language, strategy and budget', () => {
  const usual = { maxSteps: 10, maxSeconds: 120, maxOutputTokens: 4096 };
  const foreground = { maxSteps: 5, maxSeconds: 45, maxOutputTokens: 4096 };
  expect(assistants).toEqual([
    expect.objectContaining({ key: 'mefali', language: 'fr', strategy: 'REACTIVE', budget: usual }),
    expect.objectContaining({ key: 'therese', language: 'fr', strategy: 'REACTIVE', budget: usual }),
    expect.objectContaining({ key: 'explorateur', language: 'fr', strategy: 'PLANNED', budget: foreground }),
    expect.objectContaining({ key: 'solven', language: 'es', strategy: 'REACTIVE', budget: usual }),
    expect.objectContaining({
      key: 'bibliotheque',
      language: 'zh-Hant',
      strategy: 'GROUNDED',
      budget: usual,
    }),
  ]);
});

describe.each(assistants)('the prompt of $key', ({ language, template }) => {
  it('can be published', () => {
    expect(checkTemplate(template)).toEqual([]);
  });

  it('is long enough to say something and short enough to be paid for with every call', () => {
    expect(template.length).toBeGreaterThan(600);
    expect(template.length).toBeLessThan(6000);
  });

  it('is written in its language', () => {
    expect(languageOf(withoutVariables(template))).toBe(language);
  });

  it('gives every value once, and those of a company, a person or a day after all that never changes', () => {
    for (const name of templateVariables) expect(template.split(`{${name}}`)).toHaveLength(2);
    const positions = templateVariables.map((name) => template.indexOf(`{${name}}`));
    expect(Math.min(...positions)).toBeGreaterThan(template.length * 0.75);
    expect(Math.min(...positions)).toBe(template.indexOf('{language}'));
  });

  it('names the language code on a line of its own, for models that look for it', () => {
    expect(template).toMatch(/^[^\n]{4,20}\s?[:：]\s?\{language\}/mu);
  });
});
