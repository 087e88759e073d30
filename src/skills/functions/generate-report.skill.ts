import { z } from 'zod';

import type { JsonObject, JsonValue } from '../../common/json.js';
import { Calendar } from '../../common/calendar.js';
import { Clock } from '../../common/clock.js';
import { CompaniesService } from '../../companies/companies.service.js';
import type { StoredFile } from '../../files/stored-file.entity.js';
import { StoredFilesService } from '../../files/stored-files.service.js';
import { EarlierResults } from '../../turns/skill-calls/earlier-results.service.js';
import { FunctionSkill } from '../function-skill.decorator.js';
import { type Skill, type SkillContext, SkillError } from '../skill.js';
import { cleanText } from './report/clean-text.js';
import { carbonReport } from './report/content/carbon-content.js';
import { esgReport } from './report/content/esg-content.js';
import { financingReport } from './report/content/financing-content.js';
import { type Dated, languageOf, type ReportFrame } from './report/content/report-frame.js';
import { fileNameOf, mediaTypes } from './report/report-file.js';
import { ReportRenderer } from './report/report-renderer.js';
import { type Report, reportFormats, type RenderedReport } from './report/report.js';
import { type ReportKind, reportKinds, type ReportStage } from './report/wording/report-wording.js';
import { CarbonFootprintDetails } from './carbon/footprint-details.js';
import { EsgScoreDetails } from './esg/esg-score.js';
import { FinancingMatchesDetails } from './financing/financing-matches.js';
import { greenAdvisers } from './green-advisers.js';

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
@FunctionSkill()
export class GenerateReportSkill implements Skill {
  readonly key = 'generate_report';
  readonly name = 'Report';
  readonly description =
    'Writes a report as Word and PDF files with tables, charts and sources, and gives links to download them ' +
    '(rapport ESG, rapport carbone, bilan carbone, dossier de candidature, dossier de financement, PDF, Word; ' +
    'informe, expediente; 產生報告). Use it only when the user explicitly asks for a report, a file or a document. ' +
    'It holds the latest result in this conversation of calculate_esg_score (kind esg), calculate_carbon_footprint ' +
    '(carbon) or find_green_financing (financing: an application file, with the company’s profile and its ESG score ' +
    'and footprint where they were calculated): call that skill first. It calculates nothing and adds no figures. ' +
    'Give the links as they are; they expire.';
  readonly parameters: JsonObject = {
    type: 'object',
    additionalProperties: false,
    required: ['kind'],
    properties: {
      kind: {
        type: 'string',
        enum: [...reportKinds],
        description: 'esg, carbon (footprint, bilan carbone) or financing (dossier de candidature).',
      },
      title: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_TITLE_CHARACTERS,
        description: 'Only if the user wants a title of their own.',
      },
      format: {
        type: 'string',
        enum: [...reportFormats, 'both'],
        description: 'docx (Word), pdf, or both; both if left out.',
      },
    },
  };
  readonly assistants = greenAdvisers;
  /** A second call would store the same files twice. */
  readonly idempotent = false;
  readonly timeoutMs = 75_000;

  constructor(
    private readonly companies: CompaniesService,
    private readonly earlier: EarlierResults,
    private readonly renderer: ReportRenderer,
    private readonly files: StoredFilesService,
    private readonly clock: Clock,
    private readonly calendar: Calendar,
  ) {}

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
    return { summary: wording.done(report.title, formats), title: report.title, files };
  }

  private async write(kind: ReportKind, title: string | undefined, context: SkillContext): Promise<Report> {
    const company = await this.companies.getOf(context);
    const wanted = cleanText(title ?? '');
    const createdAt = this.clock.now();
    const day = this.calendar.shown(createdAt);
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
    const found = await this.earlier.findLatest(context, skill);
    const read = schema.safeParse(found?.details);
    if (!found || !read.success) return null;
    return { details: read.data as DetailsOf<Kind>, at: this.calendar.shown(found.at) };
  }

  private async store(
    kind: ReportKind,
    report: Report,
    rendered: readonly RenderedReport[],
    { companyId, memberId, turnId, signal }: SkillContext,
  ): Promise<JsonObject[]> {
    const stored: StoredFile[] = [];
    try {
      for (const { format, content } of rendered) {
        const name = fileNameOf(kind, report, format);
        const described = { kind: 'REPORT', name, mediaType: mediaTypes[format], content, turnId } as const;
        stored.push(await this.files.create(companyId, memberId, described, signal));
      }
    } catch (error) {
      // Half a report that nobody is told of would only be found by chance.
      for (const { id } of stored) await this.files.remove({ companyId, id: memberId }, id);
      throw error;
    }
    return rendered.flatMap(({ format, pages }, index): JsonObject[] => {
      const file = stored[index];
      if (!file) return [];
      const { url, expiresAt } = this.files.linkTo(file);
      const { name, bytes } = file;
      const counted: JsonObject = pages === null ? {} : { pages };
      return [{ name, format, ...counted, bytes, url, expiresAt: expiresAt.toISOString() }];
    });
  }
}
