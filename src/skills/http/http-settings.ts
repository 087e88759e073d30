import { z } from 'zod';

import type { JsonObject } from '../../common/json.js';

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof httpMethods)[number];

export const httpBodies = ['JSON', 'FORM'] as const;
export type HttpBody = (typeof httpBodies)[number];

/** BODY is one field of it; WHOLE_BODY is all of it. */
export const argumentPlaces = ['QUERY', 'HEADER', 'BODY', 'WHOLE_BODY'] as const;
export type ArgumentPlace = (typeof argumentPlaces)[number];

/** Where an argument goes when it is not the default place, and its name there. */
const Placement = z.object({ argument: z.string(), in: z.enum(argumentPlaces), name: z.string() });
export type Placement = z.output<typeof Placement>;

/** The settings in an HTTP skill's definition. Secrets are here by name only. */
export const HttpSettings = z.object({
  method: z.enum(httpMethods),
  /** RFC 6570, see url-template.ts; its variables are arguments. */
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  secretHeaders: z.array(z.string()),
  /** Some services want their key in the address. */
  secretQuery: z.array(z.string()),
  /** The kind of body that arguments without a placement make up; null: they go to the query. */
  body: z.enum(httpBodies).nullable(),
  placements: z.array(Placement),
  /** JSONPath (RFC 9535) of what the model needs of the answer; null: all of it. */
  resultPath: z.string().nullable(),
});
export type HttpSettings = z.output<typeof HttpSettings>;

/** A definition's settings. Throws on what this version does not know. */
export function readHttpSettings(settings: JsonObject): HttpSettings {
  return HttpSettings.parse(settings);
}

/** Settings as admins are shown them; null: there are none. */
export function shownSettings(
  definition: { settings: JsonObject; timeoutMs: number } | undefined,
): ShownSettings | null {
  if (!definition) return null;
  const { headers, secretHeaders, secretQuery, ...settings } = readHttpSettings(definition.settings);
  return {
    ...settings,
    timeoutSeconds: definition.timeoutMs / 1_000,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    secrets: [
      ...secretHeaders.map((name) => ({ in: 'HEADER' as const, name })),
      ...secretQuery.map((name) => ({ in: 'QUERY' as const, name })),
    ],
  };
}

interface ShownSettings extends Pick<HttpSettings, 'method' | 'url' | 'body' | 'placements' | 'resultPath'> {
  timeoutSeconds: number;
  headers: { name: string; value: string }[];
  secrets: SecretPlace[];
}

/** Where a secret goes in a request. */
export interface SecretPlace {
  in: 'HEADER' | 'QUERY';
  name: string;
}

/** A header's name by RFC 9110, limited to a useful length. */
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
