import {
  changesHere,
  type JsonObject,
  type JsonValue,
  type Platform,
  type Skill,
  type SkillContext,
  SkillError,
} from '@palabre/plugin';
import { z } from 'zod';

import { CarbonFootprintDetails } from '../carbon/footprint-details.js';
import { EsgScoreDetails } from '../esg/esg-score.js';
import { FinancingMatchesDetails } from '../financing/financing-matches.js';
import { greenAdvisers } from '../green-advisers.js';
import { fill } from '../wording.js';
import { cleanText } from './clean-text.js';
import { carbonReport } from './content/carbon-content.js';
import { esgReport } from './content/esg-content.js';
import { financingReport } from './content/financing-content.js';
import { type Dated, languageOf, type ReportFrame } from './content/report-frame.js';
import { fileNameOf, mediaTypes } from './report-file.js';
import { ReportRenderer } from './report-renderer.js';
import { type Report, reportFormats, type RenderedReport } from './report.js';
import { type ReportKind, reportKinds, type ReportStage } from './report-wording.js';

const MAX_TITLE_CHARACTERS = 120;

const Input = z.strictObject({
  kind: z.enum(reportKinds),
  title: z.string().trim().min(1).max(MAX_TITLE_CHARACTERS).optional(),
  format: z.enum([...reportFormats, 'both']).default('both'),
});

/** Where the contents of each kind come from. */
const origins = {
  esg: { skill: 'calculate_esg_score', schema: EsgScoreDetails },
  carbon: { skill: 'calculate_carbon_footprint', schema: CarbonFootprintDetails },
  financing: { skill: 'find_green_financing', schema: FinancingMatchesDetails },
} as const satisfies Record<ReportKind, { skill: string; schema: z.ZodType }>;

type DetailsOf<Kind extends ReportKind> = z.output<(typeof origins)[Kind]['schema']>;

/** Lays out what was calculated in the conversation as a Word document and a PDF to be downloaded. */
export class GenerateReportSkill implements Skill {
  readonly key = 'generate_report';
  readonly name = 'Report';
  readonly description =
    'Writes Word and PDF files with links to download them, only when the user explicitly asks for a report, a file or ' +
    'an application file (financing). It holds the latest result in this conversation of calculate_esg_score, ' +
    'calculate_carbon_footprint or find_green_financing: call that first. Give the links as they are; they expire.';
  readonly parameters: JsonObject = {
    type: 'object',
    additionalProperties: false,
    required: ['kind'],
    properties: {
      kind: {
        type: 'string',
        enum: [...reportKinds],
      },
      title: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_TITLE_CHARACTERS,
        description: 'Only if the user wants one.',
      },
      format: {
        type: 'string',
        enum: [...reportFormats, 'both'],
        description: 'Left out: both.',
      },
    },
  };
  readonly assistants = greenAdvisers;
  /** A second call would store the same files twice. */
  readonly idempotent = false;
  readonly timeoutMs = 75_000;
  readonly effect = changesHere;

  private readonly platform: Platform;
  private readonly renderer = new ReportRenderer();

  constructor(platform: Platform) {
    this.platform = platform;
  }

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    const parsed = Input.safeParse(input);
    if (!parsed.success) throw new SkillError(`The arguments do not fit:\n${z.prettifyError(parsed.error)}`);
    const { kind, title, format } = parsed.data;
    const say = (stage: ReportStage): void =>
      context.progress(languageOf(context.language).wording.stages[stage]);
    say('collecting');
    const report = await this.write(kind, title, context);
    const rendered = await this.renderer.render(report, {
      formats: format === 'both' ? reportFormats : [format],
      signal: context.signal,
      onBegin: say,
    });
    say('storing');
    const files = await this.store(kind, report, rendered, context);
    const { wording, speech } = languageOf(report.language);
    const formats = speech.list(rendered.map(({ format }) => wording.formatNames[format]));
    return { summary: fill(wording.done, { title: report.title, formats }), title: report.title, files };
  }

  private async write(kind: ReportKind, title: string | undefined, context: SkillContext): Promise<Report> {
    const company = await this.platform.company(context);
    const wanted = cleanText(title ?? '');
    const createdAt = this.platform.now();
    const day = this.platform.shown(createdAt);
    const frame: ReportFrame = { company, title: wanted === '' ? null : wanted, createdAt, day };
    if (kind === 'esg') return esgReport(await this.get('esg', context), frame);
    if (kind === 'carbon') return carbonReport(await this.get('carbon', context), frame);
    const matches = await this.get('financing', context);
    const [esg, carbon] = await Promise.all([this.find('esg', context), this.find('carbon', context)]);
    return financingReport({ matches, esg, carbon }, frame);
  }

  private async get<Kind extends ReportKind>(
    kind: Kind,
    context: SkillContext,
  ): Promise<Dated<DetailsOf<Kind>>> {
    const found = await this.find(kind, context);
    if (found) return found;
    throw new SkillError(
      `There is nothing to report yet: call ${origins[kind].skill} first, then ask for the report again.`,
    );
  }

  /** The latest result, unless it is of an earlier version that cannot be read any more. */
  private async find<Kind extends ReportKind>(
    kind: Kind,
    context: SkillContext,
  ): Promise<Dated<DetailsOf<Kind>> | null> {
    const { skill, schema } = origins[kind];
    const found = await this.platform.latestDetails(context, skill);
    const read = schema.safeParse(found?.details);
    if (!found || !read.success) return null;
    return { details: read.data as DetailsOf<Kind>, at: this.platform.shown(found.at) };
  }

  private async store(
    kind: ReportKind,
    report: Report,
    rendered: readonly RenderedReport[],
    context: SkillContext,
  ): Promise<JsonObject[]> {
    const stored = await this.platform.storeFiles(
      context,
      rendered.map(({ format, content }) => ({
        name: fileNameOf(kind, report, format),
        mediaType: mediaTypes[format],
        content,
      })),
    );
    return stored.map(({ name, bytes, url, expiresAt }, index): JsonObject => {
      const { format, pages } = rendered[index] ?? { format: 'pdf', pages: null };
      return {
        name,
        format,
        ...(pages === null ? {} : { pages }),
        bytes,
        url,
        expiresAt: expiresAt.toISOString(),
      };
    });
  }
}
