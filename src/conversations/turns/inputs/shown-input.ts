import { isJsonObject } from '@palabre/json';

import type { ShownInput, TurnEntry, WaitingStatus } from '../turn-event.js';
import type { PendingInput } from './pending-input.entity.js';

export function waitingStatus(inputs: readonly Pick<PendingInput, 'kind'>[]): WaitingStatus {
  return inputs.every(({ kind }) => kind === 'APPROVAL') ? 'WAITING_FOR_APPROVAL' : 'WAITING_FOR_INPUT';
}

export function requestedEntry(input: PendingInput): TurnEntry {
  return input.kind === 'APPROVAL'
    ? { type: 'approval-requested', approval: shownInput(input) }
    : { type: 'input-requested', input: shownInput(input) };
}

/** The default schema of an answer. */
const plainAnswer = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
};

export function shownInput(input: PendingInput): ShownInput {
  const { id, turnId, kind, status, skill, callId, arguments: given, reason, request } = input;
  const base = { id, turnId, status, expiresAt: input.expiresAt.toISOString(), callId };
  switch (kind) {
    case 'APPROVAL':
      return { ...base, kind, skill, arguments: given, reason };
    case 'CLIENT_SKILL':
      return { ...base, kind, callId, skill, arguments: given };
    case 'MCP_INPUT': {
      const { server = skill, message = '', responseSchema = null, url = null } = request ?? {};
      return { ...base, kind, server, message, responseSchema, url };
    }
    case 'QUESTION': {
      const { prompt, schema } = given;
      const responseSchema = isJsonObject(schema) ? schema : plainAnswer;
      return { ...base, kind, prompt: typeof prompt === 'string' ? prompt : '', responseSchema };
    }
  }
}

export function resolvedEntry({ id, status }: Pick<PendingInput, 'id' | 'status'>): TurnEntry {
  return { type: 'input-resolved', inputId: id, inputStatus: status };
}
