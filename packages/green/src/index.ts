import type { Plugin } from '@palabre/plugin';

import { CalculateCarbonFootprintSkill } from './carbon/calculate-carbon-footprint.skill.js';
import { CalculateEsgScoreSkill } from './esg/calculate-esg-score.skill.js';
import { esgIndicatorsIn } from './esg/esg-indicators.js';
import { FindGreenFinancingSkill } from './financing/find-green-financing.skill.js';
import { greenAdvisers } from './green-advisers.js';
import { mefali } from './mefali.js';
import { GenerateReportSkill } from './report/generate-report.skill.js';

/** Carbon footprints, ESG scores, green finance and reports of them, with the assistant who advises on them. */
export const plugin: Plugin = {
  name: '@palabre/green',
  skills: (platform) => [
    new CalculateCarbonFootprintSkill(platform),
    new CalculateEsgScoreSkill(platform),
    new FindGreenFinancingSkill(platform),
    new GenerateReportSkill(platform),
  ],
  assistants: [mefali],
  indicators: { assistants: greenAdvisers, inLanguage: esgIndicatorsIn },
};
