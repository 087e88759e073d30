import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@palabre/json';

import type { Viewer } from '../../companies/auth/viewer.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import { PendingInputs } from '../../conversations/turns/inputs/pending-inputs.service.js';
import { prefixed, type ResponseAddress } from './openai-ids.js';
import { type Known, Responses } from './responses.service.js';

type ListedItem = JsonObject & { id: string };

/** What a response was asked with: a question, or what its turn had waited for. */
@Injectable()
export class InputItems {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly inputs: PendingInputs,
    private readonly responses: Responses,
  ) {}

  async list(viewer: Viewer, { turn, address }: Known): Promise<JsonObject> {
    const data: ListedItem[] =
      address.from === 0
        ? await this.question(viewer, turn.questionId)
        : await this.given(viewer, turn.id, address);
    const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
    return { object: 'list', data, first_id: first, last_id: last, has_more: false };
  }

  private async given(viewer: Viewer, turnId: string, address: ResponseAddress): Promise<ListedItem[]> {
    const { asked } = await this.responses.waitBefore(viewer, address);
    const inputs = await this.inputs.listOf(viewer, [turnId]);
    return inputs.filter(({ id }) => asked.has(id)).flatMap((input) => givenItem(input) ?? []);
  }

  private async question(viewer: Viewer, questionId: string): Promise<ListedItem[]> {
    const messages = await this.conversations.findMessages(viewer, [questionId]);
    return messages.map(({ id, text, attachmentIds }) => ({
      type: 'message',
      id: prefixed('msg', id),
      status: 'completed',
      role: 'user',
      content: [
        { type: 'input_text', text },
        ...(attachmentIds ?? []).map((file) => ({ type: 'input_file', file_id: prefixed('file', file) })),
      ],
    }));
  }
}

/** Null: nobody has answered yet. */
function givenItem({ id, kind, status, answer, comment }: PendingInput): ListedItem | null {
  if (status === 'PENDING') return null;
  if (kind === 'APPROVAL') {
    const approve = status === 'APPROVED';
    const item = { approval_request_id: prefixed('apr', id), approve, reason: comment };
    return { type: 'mcp_approval_response', id: prefixed('apa', id), ...item };
  }
  const output = JSON.stringify(answer && 'value' in answer ? answer.value : answer);
  return {
    type: 'function_call_output',
    id: prefixed('fco', id),
    call_id: prefixed('call', id),
    output,
    status: 'completed',
  };
}
