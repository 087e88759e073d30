import { z } from 'zod';

import { ResultKind } from '../kept-result.js';

export function text(most: number) {
  return z.string().trim().min(1).max(most);
}
const amount = z.number().positive().max(1e15);

/** What was said of an application so far. Calculated values are not in it. */
export const ApplicationDraft = z.strictObject({
  /** An id of the data. */
  programme: z.string().optional(),
  title: text(200).optional().describe('Of the project'),
  description: text(5_000)
    .optional()
    .describe('What the project is, in full sentences; only figures that are known'),
  place: text(200).optional(),
  results: z.array(text(300)).max(20).optional().describe('Expected results'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .describe('Of all amounts, ISO 4217, as XOF'),
  budget: z
    .array(z.strictObject({ item: text(200), amount }))
    .max(50)
    .optional(),
  plan: z
    .array(
      z.strictObject({
        source: text(200),
        amount,
        isRequested: z.boolean().optional().describe('What is applied for'),
      }),
    )
    .max(20)
    .optional()
    .describe('Who pays; adds up to the budget'),
  schedule: z
    .array(z.strictObject({ step: text(300), when: text(60) }))
    .max(30)
    .optional(),
  effects: text(3_000).optional().describe('What it does for the environment, beside what is calculated'),
  /** The quantities of the footprint that the project changes. */
  after: z
    .array(
      z.strictObject({
        activity: z.string(),
        quantity: z.number(),
        unit: z.string(),
        country: z.string().optional(),
      }),
    )
    .max(100)
    .optional(),
  annexes: z.array(text(200)).max(30).optional().describe('Documents that the user has'),
});

export type ApplicationDraft = z.output<typeof ApplicationDraft>;

/** An empty field was not stated. */
export function totalOf(amounts: readonly { amount: number }[] = []): number {
  return amounts.reduce((sum, each) => sum + each.amount, 0);
}

/** The amount applied for. 0: no amount is marked as such. */
export function requestedIn({ plan = [] }: ApplicationDraft): number {
  return totalOf(plan.filter(({ isRequested }) => isRequested));
}

const ApplicationState = z.strictObject({
  /** Codes of what a complete file lacks. */
  missing: z.array(z.string()),
});

export const applications = new ResultKind(
  'application',
  'A draft of an application for financing; its subject is the id of the programme, empty where none is chosen. `given` has ' +
    'what was said so far (project, budget, plan, schedule, what changes after it), `result.missing` what a complete file ' +
    'lacks.',
  ApplicationDraft,
  ApplicationState,
);
