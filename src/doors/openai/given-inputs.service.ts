import { Injectable } from '@nestjs/common';
import { type JsonValue, parseJson } from '@palabre/json';

import type { Viewer } from '../../companies/auth/viewer.js';
import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import { PendingInputs } from '../../conversations/turns/inputs/pending-inputs.service.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { answerTo, type Given } from '../input-answers.js';
import type { GivenInput } from './asked-input.js';
import { refusal } from './openai-errors.js';
import { prefixed } from './openai-ids.js';

/** Outputs of functions and decisions on approvals, as answers to a turn's inputs. */
@Injectable()
export class GivenInputs {
  constructor(
    private readonly inputs: PendingInputs,
    private readonly turns: TurnsService,
  ) {}

  /** The turn of these inputs. Null: no inputs. Rejects with BAD_USER_INPUT. */
  async turnOf(viewer: Viewer, given: readonly GivenInput[]): Promise<Turn | null> {
    const [first] = given;
    if (!first) return null;
    const input = await this.inputs.find(viewer, first.inputId);
    const turn = input && (await this.turns.find(viewer, input.turnId));
    const known = new Set((turn ? await this.inputs.listOf(viewer, [turn.id]) : []).map(({ id }) => id));
    if (turn && given.every(({ inputId }) => known.has(inputId))) return turn;
    throw refusal('BAD_USER_INPUT', 'No tool call found for one of these outputs.', {
      code: 'tool_call_not_found',
      param: 'input',
    });
  }

  /** Passes all answers to the turn. Rejects with BAD_USER_INPUT if it waits for more, and like PendingInputs. */
  async answer(viewer: Viewer, turn: Turn, given: readonly GivenInput[]): Promise<void> {
    const inputs = await this.inputs.listOf(viewer, [turn.id]);
    const givenTo = ({ id }: PendingInput) => given.find(({ inputId }) => inputId === id);
    // Others may decide on approvals.
    const missing = inputs.find(
      (input) => input.status === 'PENDING' && input.kind !== 'APPROVAL' && !givenTo(input),
    );
    if (missing)
      throw refusal('BAD_USER_INPUT', `No tool output found for ${prefixed('call', missing.id)}.`, {
        code: 'tool_output_missing',
        param: 'input',
      });
    for (const input of inputs) {
      const one = givenTo(input);
      if (one) await this.inputs.answer(viewer, answerTo(input, answerOf(input, one)));
    }
  }
}

function answerOf({ kind }: PendingInput, given: GivenInput): Given {
  if (kind === 'APPROVAL') {
    if ('approve' in given) return given;
    throw wrongKind('an approval: send mcp_approval_response');
  }
  if (!('output' in given)) throw wrongKind('the output of a function: send function_call_output');
  return { value: kind === 'QUESTION' ? questionValue(given.output) : valueOf(given.output) };
}

function wrongKind(wanted: string) {
  return refusal('BAD_USER_INPUT', `The turn waits for ${wanted}.`, {
    code: 'invalid_value',
    param: 'input',
  });
}

/** JSON output is not encoded again. */
function valueOf(output: string): JsonValue {
  const value = parseJson(output) as JsonValue;
  return value === null && output.trim() !== 'null' ? output : value;
}

/** Plain text answers a question without a schema. */
function questionValue(output: string): JsonValue {
  const value = valueOf(output);
  return typeof value === 'object' ? value : { answer: output };
}
