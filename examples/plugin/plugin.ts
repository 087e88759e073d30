import { type AssistantDefinition, type Plugin, readsOwn, type Skill, SkillError } from '@palabre/plugin';

/** Days that a parcel takes, by the first letters of a postal code. */
const days: Readonly<Record<string, number>> = { DK: 1, TH: 2, ZG: 4 };

const deliveryTime: Skill = {
  key: 'find_delivery_time',
  name: 'Delivery time',
  description:
    'Gives the days that a parcel takes to a postal code. Use it when the user asks when a parcel arrives; ask for the ' +
    'postal code first. Not for parcels that are under way.',
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['postalCode'],
    properties: { postalCode: { type: 'string', minLength: 2, maxLength: 10 } },
  },
  idempotent: true,
  timeoutMs: 5_000,
  effect: readsOwn,
  assistants: ['parcels'],
  async run({ postalCode }) {
    const region = String(postalCode).slice(0, 2).toUpperCase();
    const found = days[region];
    if (found === undefined)
      throw new SkillError(`Nothing is delivered to ${region}. Known: ${Object.keys(days).join(', ')}.`);
    return { summary: `${found} d`, region, days: found };
  },
};

const parcels: AssistantDefinition = {
  key: 'parcels',
  name: 'Parcels',
  language: 'en',
  strategy: 'REACTIVE',
  budget: { maxSteps: 5, maxSeconds: 60, maxOutputTokens: 2_000 },
  example: 'When does a parcel to DK12 arrive?',
  template: `You answer questions about parcels for the staff of a delivery service, in two or three sentences. You never guess
a date: you look it up.

Answer in: {language}. Today is {date}. You talk to {name}.

# The company
{profile}

# Your tools
{skill}

# {initial_context_title}
{initial_context_description}`,
};

export const plugin: Plugin = {
  name: 'parcels',
  skills: () => [deliveryTime],
  assistants: [parcels],
};
