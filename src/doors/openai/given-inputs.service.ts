import { Injectable } from '@nestjs/common';

import { parseJson, type JsonValue } from '../../common/json.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import { PendingInputs } from '../../conversations/turns/inputs/pending-inputs.service.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import type { GivenInput } from './asked-input.js';
import { refusal } from './openai-errors.js';
import { prefixed } from './openai-ids.js';

/** Outputs of functions and decisions on approvals, as answers to what a turn waits for. */
@Injectable()
export class GivenInputs {
  constructor(
    private readonly inputs: PendingInputs,
    private readonly turns: TurnsService,
  ) {}

  /** The turn that these are for; null: there are none. Rejects with BAD_USER_INPUT. */
  async turnOf(viewer: Viewer, given: readonly GivenInput[]): Promise<Turn | null> {
    if (given.length === 0) return null;
    const found = await Promise.all(given.map(({ inputId }) => this.inputs.find(viewer, inputId)));
    const turnId = found[0]?.turnId;
    const isOfOne = found.every((input) => input !== null && input.turnId === turnId);
    const turn = turnId !== undefined && isOfOne ? await this.turns.find(viewer, turnId) : null;
    if (turn) return turn;
    throw refusal('BAD_USER_INPUT', 'No tool call found for one of these outputs.', {
      code: 'tool_call_not_found',
      param: 'input',
    });
  }

  /** Gives all of them to the turn. Rejects with BAD_USER_INPUT when it waits for more, and as PendingInputs does. */
  async answer(viewer: Viewer, turn: Turn, given: readonly GivenInput[]): Promise<void> {
    if (given.length === 0) return;
    const inputs = await this.inputs.listOf(viewer, [turn.id]);
    const isGiven = ({ id }: PendingInput): boolean => given.some(({ inputId }) => inputId === id);
    // An approval may be decided by others.
    const open = inputs.filter(({ status, kind }) => status === 'PENDING' && kind !== 'APPROVAL');
    const missing = open.find((input) => !isGiven(input));
    if (missing)
      throw refusal('BAD_USER_INPUT', `No tool output found for ${prefixed('call', missing.id)}.`, {
        code: 'tool_output_missing',
        param: 'input',
      });
    for (const one of given) {
      const input = inputs.find(({ id }) => id === one.inputId);
      if (input) await this.inputs.answer(viewer, answerOf(input, one));
    }
  }
}

function answerOf({ id, kind }: PendingInput, given: GivenInput): Record<string, unknown> {
  if (kind === 'APPROVAL') {
    if ('approve' in given)
      return { approval: { approvalId: id, approve: given.approve, comment: given.comment } };
    throw wrongKind('an approval: send mcp_approval_response');
  }
  if (!('output' in given)) throw wrongKind('the output of a function: send function_call_output');
  if (kind === 'CLIENT_SKILL') return { clientSkill: { id, result: valueOf(given.output) } };
  if (kind === 'MCP_INPUT') return { mcp: { id, value: valueOf(given.output) } };
  return { question: { id, value: questionValue(given.output) } };
}

function wrongKind(wanted: string) {
  return refusal('BAD_USER_INPUT', `The turn waits for ${wanted}.`, {
    code: 'invalid_value',
    param: 'input',
  });
}

/** What was given as JSON is not quoted once more. */
function valueOf(output: string): JsonValue {
  const value = parseJson(output) as JsonValue;
  return value === null && output.trim() !== 'null' ? output : value;
}

/** Words alone answer a question without a schema of its own. */
function questionValue(output: string): JsonValue {
  const value = valueOf(output);
  return typeof value === 'object' ? value : { answer: output };
}
