/**
 * Loaded ahead of a server of the build, by `--import`: skills that leave a trace outside of it each time they are
 * carried out, so that whoever kills it can tell how often they were.
 */
import 'reflect-metadata';

import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { FunctionSkill } from '../../dist/skills/function-skill.decorator.js';
import { SkillsModule } from '../../dist/skills/skills.module.js';

const file = process.env.WITNESS_FILE;

function witnessed(key, idempotent) {
  class WitnessedSkill {
    key = key;
    name = key;
    description = 'Leaves a trace.';
    idempotent = idempotent;
    timeoutMs = 60_000;
    effect = { changes: 'NOTHING', isForeign: false };
    parameters = {
      type: 'object',
      additionalProperties: false,
      required: ['ms'],
      properties: { ms: { type: 'integer', minimum: 0 } },
    };

    async run({ ms }, { callId, signal }) {
      appendFileSync(file, `${key} ${callId}\n`);
      await sleep(ms, undefined, { signal });
      return { witnessed: callId };
    }
  }
  FunctionSkill()(WitnessedSkill);
  return WitnessedSkill;
}

const providers = Reflect.getMetadata('providers', SkillsModule);
const skills = [witnessed('send_once', false), witnessed('look_up', true)];
Reflect.defineMetadata('providers', [...providers, ...skills], SkillsModule);
