import type { Plugin } from '@palabre/plugin';

import { applications } from './application/application-draft.js';
import { WriteApplicationSkill } from './application/write-application.skill.js';
import { CalculateCarbonFootprintSkill } from './carbon/calculate-carbon-footprint.skill.js';
import { footprints } from './carbon/footprint-details.js';
import { CalculateEsgScoreSkill } from './esg/calculate-esg-score.skill.js';
import { assessments } from './esg/esg-score.js';
import { esgIndicatorsIn } from './esg/esg-indicators.js';
import { financingSearches } from './financing/financing-matches.js';
import { FindGreenFinancingSkill } from './financing/find-green-financing.skill.js';
import { greenAdvisers } from './green-advisers.js';
import { mefali } from './mefali.js';
import { GenerateReportSkill } from './report/generate-report.skill.js';

/** Carbon footprints, ESG scores, green finance, reports and applications, and the assistant who advises on them. */
export const plugin: Plugin = {
  name: '@palabre/green',
  skills: (platform) => [
    new CalculateCarbonFootprintSkill(platform),
    new CalculateEsgScoreSkill(platform),
    new FindGreenFinancingSkill(platform),
    new GenerateReportSkill(platform),
    new WriteApplicationSkill(platform),
  ],
  records: [footprints, assessments, financingSearches, applications],
  assistants: [mefali],
  indicators: { focus: 'esg', name: 'ESG', assistants: greenAdvisers, inLanguage: esgIndicatorsIn },
};
