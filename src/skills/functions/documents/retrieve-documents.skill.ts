import { Inject } from '@nestjs/common';
import { z } from 'zod';
import { parametersOf, readInput } from '@palabre/plugin';
import type { JsonObject, JsonValue } from '@palabre/json';

import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { wordingIn } from '../../../common/wording/wording.js';
import { TurnAttachments } from '../../../conversations/turns/turn-attachments.service.js';
import { Database } from '../../../platform/database/database.js';
import { DocumentsService } from '../../../documents/documents.service.js';
import type { DocumentView } from '../../../documents/document-view.js';
import { errorIn } from '../../../documents/document-remark.js';
import { DocumentSearch } from '../../../documents/search/document-search.service.js';
import type { FoundPassage } from '../../../documents/search/found-passage.js';
import { missingFrom } from '../../../documents/search/missing-words.js';
import { FunctionSkill } from '../../function-skill.decorator.js';
import { readsForeign, type Skill, type SkillContext } from '../../skill.js';
import { RETRIEVE_DOCUMENTS } from './document-skill-keys.js';

const MAX_QUERY_CHARACTERS = 1_000;
/** Enough for an answer from several documents, and a small part of any model's window. */
const MAX_PASSAGES = 8;

const Input = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(MAX_QUERY_CHARACTERS)
    .describe('A question or a few keywords, in the words that the documents probably use.'),
});

/** Searches the company's documents and the conversation's attachments. The loop numbers the results for citations. */
@FunctionSkill()
export class RetrieveDocumentsSkill implements Skill {
  readonly key = RETRIEVE_DOCUMENTS;
  readonly name = wordingIn('en').skillNames.retrieve_documents;
  readonly description =
    'Searches the company’s documents and gives the closest passages, with document and page. Use it whenever the answer ' +
    'may be in them.';
  readonly parameters = parametersOf(Input);
  readonly idempotent = true;
  readonly timeoutMs = 10_000;
  readonly effect = readsForeign;

  constructor(
    private readonly search: DocumentSearch,
    private readonly documents: DocumentsService,
    private readonly attachments: TurnAttachments,
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    const { query } = readInput(Input, input);
    const { companyId, memberId, documentIds, signal } = context;
    const asked = documentIds.length === 0 ? null : documentIds;
    const attached = await this.attachments.listDocumentIds(companyId, context.turnId);
    const request = {
      query,
      limit: MAX_PASSAGES,
      documentIds: asked,
      attached: { memberId, documentIds: attached },
    };
    const { passages, warning } = await this.search.search(companyId, request, signal);
    if (warning !== null)
      this.logger.warn({ companyId, turnId: context.turnId, warning }, 'search by words alone');
    const missing = missingFrom(passages, query);
    const unread = await this.unreadOf(context, attached);
    return {
      passages: passages.map(passageForModel),
      ...(missing.length > 0 && { missing }),
      ...(unread.length > 0 && { unread }),
    };
  }

  /** An answer about a document that is still being read must not say that it contains nothing. */
  private async unreadOf(
    { companyId, documentIds, language }: SkillContext,
    attached: readonly string[],
  ): Promise<JsonObject[]> {
    if (documentIds.length + attached.length === 0) return [];
    const asked = await this.database.read(companyId, (tx) =>
      this.documents.findMany(tx, documentIds, attached),
    );
    return asked
      .filter(({ status }) => status !== 'COMPLETED')
      .map((document) => unreadForModel(document, language));
  }
}

function passageForModel({
  documentId,
  documentName,
  page,
  pageBreaks,
  headings,
  text,
  score,
}: FoundPassage): JsonObject {
  return {
    document: documentName,
    documentId,
    page,
    ...(pageBreaks.length > 0 && { pageBreaks: pageBreaks.map((each) => ({ ...each })) }),
    ...(headings.length > 0 && { section: headings.join(' › ') }),
    score: Math.round(score * 1_000) / 1_000,
    text,
  };
}

/** `error`: why it could not be read. Null: it is still being read. */
function unreadForModel(document: DocumentView, language: string): JsonObject {
  return { document: document.name, error: errorIn(document, language) };
}
