import { withoutAccents } from '../../../common/text/folded-text.js';
import type { JsonObject } from '../../../common/json.js';
import type { ArgumentPlace, Placement } from '../http-settings.js';

/** One argument of an operation, as the document has it. */
export interface FoundArgument {
  place: ArgumentPlace | 'PATH';
  /** What it is called in the request. */
  name: string;
  schema: JsonObject;
  required: boolean;
}

const MAX_NAME_CHARACTERS = 60;

/** The arguments of an operation under names of their own, which every model's provider takes. */
export class NamedArguments {
  readonly placements: Placement[] = [];
  private readonly properties: JsonObject = {};
  private readonly required: string[] = [];

  /** What the argument is called. */
  add({ place, name, schema, required }: FoundArgument): string {
    const argument = this.nameFor(name, place);
    this.properties[argument] = schema;
    if (required) this.required.push(argument);
    if (place !== 'PATH') this.placements.push({ argument, in: place, name });
    return argument;
  }

  get schema(): JsonObject {
    return {
      type: 'object',
      properties: this.properties,
      ...(this.required.length > 0 && { required: this.required }),
      additionalProperties: false,
    };
  }

  /** The same name in two places is told apart by the place, and if need be by a number. */
  private nameFor(name: string, place: FoundArgument['place']): string {
    const plain = withoutAccents(name).replaceAll(/\W+/g, '_').slice(0, MAX_NAME_CHARACTERS);
    const first = /^[A-Za-z]/.test(plain) ? plain : `_${plain}`;
    const base = this.isTaken(first)
      ? `${place.toLowerCase()}_${plain}`.slice(0, MAX_NAME_CHARACTERS)
      : first;
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? base : `${base}_${number}`;
      if (!this.isTaken(candidate)) return candidate;
    }
  }

  private isTaken(name: string): boolean {
    return name === '__proto__' || Object.hasOwn(this.properties, name);
  }
}
