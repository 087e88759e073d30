import { z } from 'zod';

/** A value of the configuration, and its variable. */
class Setting<Value> {
  constructor(
    readonly variable: string,
    readonly schema: z.ZodType<Value>,
  ) {}
}

export function setting<Value>(variable: string, schema: z.ZodType<Value>): Setting<Value> {
  return new Setting(variable, schema);
}

/** Settings by their path in the configuration. */
interface Settings {
  readonly [place: string]: Setting<unknown> | Settings;
}

export type ValuesOf<Part> = {
  readonly [Place in keyof Part]: Part[Place] extends Setting<infer Value> ? Value : ValuesOf<Part[Place]>;
};

/** The schema of the variables that the settings are read from. */
export function schemaOf(settings: Settings): z.ZodType<Record<string, unknown>> {
  return z.object(Object.fromEntries(settingsIn(settings).map(({ variable, schema }) => [variable, schema])));
}

export function settingsIn(settings: Settings): Setting<unknown>[] {
  return Object.values(settings).flatMap((part) => (part instanceof Setting ? part : settingsIn(part)));
}

/** The values of checked variables, by the path of their settings. */
export function valuesOf<Part extends Settings>(
  settings: Part,
  variables: Readonly<Record<string, unknown>>,
): ValuesOf<Part> {
  return Object.fromEntries(
    Object.entries(settings).map(([place, part]) => [
      place,
      part instanceof Setting ? variables[part.variable] : valuesOf(part, variables),
    ]),
  ) as ValuesOf<Part>;
}
