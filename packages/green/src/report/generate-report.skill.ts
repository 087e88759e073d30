import {
  changesHere,
  type JsonObject,
  type JsonValue,
  parametersOf,
  type Platform,
  readInput,
  type Skill,
  type SkillContext,
} from '@palabre/plugin';
import { z } from 'zod';

import { footprints } from '../carbon/footprint-details.js';
import { assessments } from '../esg/esg-score.js';
import { financingSearches } from '../financing/financing-matches.js';
import { greenAdvisers } from '../green-advisers.js';
import type { ResultKind } from '../kept-result.js';
import { Fault, sayingFaultsIn } from '../result-wording.js';
import { folded } from '../understanding.js';
import { inEveryLanguage } from '../wording.js';
import { carbonReport } from './content/carbon-content.js';
import { esgReport } from './content/esg-content.js';
import { financingReport } from './content/financing-content.js';
import type { Dated, ReportFrame } from './content/report-frame.js';
import { formatChoices, ReportWriter } from './report-writer.js';
import type { Report } from './report.js';

const MAX_TITLE_CHARACTERS = 120;

/** A kind of report: its result, the skill that keeps the result, and its writer. */
interface ReportOf<Result> {
  results: ResultKind<unknown, Result>;
  skill: string;
  compose(result: Dated<Result>, frame: ReportFrame): Report;
}

function reportOf<Result>(report: ReportOf<Result>): ReportOf<Result> {
  return report;
}

const reports = {
  esg: reportOf({ results: assessments, skill: 'calculate_esg_score', compose: esgReport }),
  carbon: reportOf({ results: footprints, skill: 'calculate_carbon_footprint', compose: carbonReport }),
  financing: reportOf({
    results: financingSearches,
    skill: 'find_green_financing',
    compose: financingReport,
  }),
};
const kinds = Object.keys(reports) as (keyof typeof reports)[];

const Input = z.strictObject({
  kind: z.enum(kinds),
  period: z.string().max(60).optional().describe('Of a footprint'),
  title: z.string().trim().min(1).max(MAX_TITLE_CHARACTERS).optional().describe('Only if the user wants one'),
  format: z.enum(formatChoices).optional(),
});

/** Writes the company's kept results as a Word document and a PDF. */
export class GenerateReportSkill implements Skill {
  readonly key = 'generate_report';
  readonly name = 'Report';
  readonly names = { fr: 'Rapport', es: 'Informe', zh: '報告' };
  readonly description =
    'Writes a report as Word and PDF files, only when the user explicitly asks for one, of the company’s latest ' +
    'result, of any conversation: have no figures repeated. The user finds the files below your answer: ' +
    'name them, write no links. For an application file (dossier de candidature) search for write_application.';
  readonly descriptions = inEveryLanguage(({ skills }) => skills.report);
  readonly parameters = parametersOf(Input);
  readonly assistants = greenAdvisers;
  /** A second call would store the same files twice. */
  readonly idempotent = false;
  readonly timeoutMs = 75_000;
  readonly effect = changesHere;

  private readonly writer: ReportWriter;

  constructor(private readonly platform: Platform) {
    this.writer = new ReportWriter(platform);
  }

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    const { kind, period, title, format = 'both' } = readInput(Input, input);
    return sayingFaultsIn(context.language, () => {
      const compose = (frame: ReportFrame): Promise<Report> =>
        this.compose(reports[kind] as ReportOf<unknown>, period && folded(period), frame, context);
      return this.writer.write({ kind, title, format, compose }, context);
    });
  }

  private async compose(
    { results, skill, compose }: ReportOf<unknown>,
    subject: string | undefined,
    frame: ReportFrame,
    context: SkillContext,
  ): Promise<Report> {
    const kept = await results.find(this.platform, context, subject);
    if (!kept) throw new Fault('nothingToReport', { skill });
    return compose(this.writer.dated(kept), frame);
  }
}
