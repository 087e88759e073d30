import {
  type ClientCapabilities,
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequests,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { JsonValue } from '@palabre/json';

import type { Wording } from '../../common/wording/wording.js';
import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import { shownInput } from '../../conversations/turns/inputs/shown-input.js';
import { answerTo } from '../input-answers.js';
import { messageOf } from './turn-report.js';

type Form = ElicitRequestFormParams['requestedSchema'];

function approvalForm({ carryOut, comment }: Wording['doors']): Form {
  return {
    type: 'object',
    properties: {
      approve: { type: 'boolean', title: carryOut },
      comment: { type: 'string', title: comment, maxLength: 1_000 },
    },
    required: ['approve'],
  };
}

/** The inputs that a client can ask its user for, by id. */
export function inputRequestsOf(
  inputs: readonly PendingInput[],
  { elicitation }: ClientCapabilities,
  words: Wording['doors'],
): InputRequests {
  if (!elicitation) return {};
  // Without a mode, forms are meant.
  const hasForms = elicitation.form !== undefined || elicitation.url === undefined;
  const requests = inputs.flatMap((input) => {
    const shown = shownInput(input);
    const message = messageOf(shown, words);
    if (shown.kind === 'MCP_INPUT' && shown.url !== null) {
      return elicitation.url
        ? [[input.id, inputRequired.elicitUrl({ message, url: shown.url })] as const]
        : [];
    }
    const isForm = shown.kind !== 'CLIENT_SKILL' && hasForms;
    return isForm
      ? [[input.id, inputRequired.elicit({ message, requestedSchema: formOf(shown, words) })] as const]
      : [];
  });
  return Object.fromEntries(requests);
}

function formOf(shown: ReturnType<typeof shownInput>, words: Wording['doors']): Form {
  if (!('responseSchema' in shown)) return approvalForm(words);
  // The schema was checked for the protocol's flatness when it was asked.
  return (shown.responseSchema ?? { type: 'object', properties: {} }) as Form;
}

const Elicited = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.custom<JsonValue>()).optional(),
});

/**
 * The user's answer in the form of `answer` of PendingInputs. Null: none yet, because they closed the form or the
 * client sent something else.
 */
export function answerOf(input: PendingInput, given: unknown): ReturnType<typeof answerTo> | null {
  const elicited = Elicited.safeParse(given).data;
  if (!elicited || elicited.action === 'cancel') return null;
  const { content = {} } = elicited;
  const isAccepted = elicited.action === 'accept';
  if (input.kind === 'CLIENT_SKILL') return null;
  if (input.kind === 'APPROVAL') {
    const comment = typeof content.comment === 'string' ? content.comment : null;
    return answerTo(input, { approve: isAccepted && content.approve === true, comment });
  }
  const hasForm = input.kind === 'QUESTION' || (input.request?.responseSchema ?? null) !== null;
  return answerTo(input, isAccepted ? { value: hasForm ? content : null } : { declined: true });
}
