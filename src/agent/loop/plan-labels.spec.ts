import { planLabelsFor } from './plan-labels.js';

const languages = ['fr', 'en', 'es', 'zh-Hant'];

/** Every label as it is read, by its name. */
function texts(language: string): Map<string, string> {
  const labels = planLabelsFor(language);
  const {
    comment,
    answerInJson,
    answerMisfits,
    left,
    elementsLeftOut,
    fieldsLeftOut,
    textLeftOut,
    ...plain
  } = labels;
  return new Map([
    ...Object.entries(plain),
    ['comment', comment('QUOTED')],
    ['answerInJson', answerInJson('QUOTED')],
    ['answerMisfits', answerMisfits('QUOTED')],
    ['left', left(3, 17)],
    ['elementsLeftOut', elementsLeftOut(3, 17)],
    ['fieldsLeftOut', fieldsLeftOut('QUOTED')],
    ['textLeftOut', textLeftOut(3, 17)],
  ]);
}

describe('what the loop says', () => {
  it('is said in each language in words of its own', () => {
    const all = languages.map(texts);
    for (const name of all[0]?.keys() ?? []) {
      expect(new Set(all.map((labels) => labels.get(name))).size).toBe(languages.length);
    }
  });

  it.each(languages)('names what it is told, in %s', (language) => {
    const labels = texts(language);
    for (const name of ['left', 'elementsLeftOut', 'textLeftOut']) {
      expect(labels.get(name)).toMatch(/3.*17|17.*3/u);
    }
    for (const name of ['comment', 'fieldsLeftOut']) expect(labels.get(name)).toContain('QUOTED');
    for (const words of labels.values()) expect(words.length).toBeLessThanOrEqual(300);
  });

  it('is found by the language of a tag alone, and is English for others', () => {
    expect(planLabelsFor('fr-SN')).toBe(planLabelsFor('fr'));
    expect(planLabelsFor('zh-Hant-TW')).toBe(planLabelsFor('zh'));
    expect(planLabelsFor('wo')).toBe(planLabelsFor('en'));
    expect(planLabelsFor('')).toBe(planLabelsFor('en'));
  });
});
