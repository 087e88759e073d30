import type { DocumentIndicators } from '@palabre/plugin';

import { Plugins } from '../../../common/plugins.js';
import { AnalyzeDocumentSkill } from './analyze-document.skill.js';

const unused = undefined as never;

function skillWith(...all: DocumentIndicators[]): AnalyzeDocumentSkill {
  const plugins = new Plugins(all.map((indicators) => ({ name: indicators.focus, indicators })));
  return new AnalyzeDocumentSkill(unused, unused, unused, unused, unused, unused, plugins, unused);
}

function looksFor(focus: string, name: string): DocumentIndicators {
  return { focus, name, assistants: [], inLanguage: () => [] };
}

describe('what a model is told of the analysis of a document', () => {
  it('is no more than summary and figures where no package looks for more', () => {
    const { description, parameters } = skillWith();
    expect(description).toMatch(/^Analyses a whole document: summary, key figures with their page\. Use it/);
    expect(parameters).not.toMatchObject({ properties: { focus: expect.anything() } });
  });

  it('has what packages look for, by their names for it', () => {
    const { description, parameters } = skillWith(looksFor('esg', 'ESG'), looksFor('water', 'Water use'));
    expect(description).toContain(
      ', and for ESG, Water use what it supports and what is missing. Use it when',
    );
    expect(parameters).toMatchObject({
      properties: {
        focus: {
          enum: ['summary', 'esg', 'water'],
          description: expect.stringContaining('esg: besides summary and figures, what it holds for ESG and'),
        },
      },
    });
  });
});
